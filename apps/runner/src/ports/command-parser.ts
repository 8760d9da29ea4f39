import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { CommandParser, SyntaxNode } from '@oneslot/core';
import { Language, Parser, type TreeCursor } from 'web-tree-sitter';

/** Deeper nesting is no honest command; the branch counts as unreadable instead of ending the stack. */
const deepest = 500;

/** Loads the bash grammar once. Core judges on the plain tree and never touches WASM. */
export async function loadCommandParser(): Promise<CommandParser> {
  await Parser.init();
  const require = createRequire(import.meta.url);
  const grammar = await readFile(require.resolve('tree-sitter-bash/tree-sitter-bash.wasm'));
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return {
    parse(command) {
      const tree = parser.parse(command);
      if (!tree) throw new Error('The bash parser gave no tree.');
      try {
        const broken = tree.rootNode.hasError;
        return plainNode(tree.walk(), { command, broken, depth: 0 });
      } finally {
        // The tree lives in WASM memory, which no garbage collector sees.
        tree.delete();
      }
    },
  };
}

type Walk = {
  command: string;
  /** Only a broken tree is asked node by node: each question crosses into WASM. */
  broken: boolean;
  depth: number;
};

function plainNode(cursor: TreeCursor, walk: Walk): SyntaxNode {
  const node: SyntaxNode = {
    type: cursor.nodeType,
    text: walk.command.slice(cursor.startIndex, cursor.endIndex),
    start: cursor.startIndex,
    end: cursor.endIndex,
    field: cursor.currentFieldName,
    isNamed: true,
    hasError: walk.broken && cursor.currentNode.hasError,
    children: [],
  };
  if (walk.depth >= deepest) return { ...node, hasError: true };
  if (!cursor.gotoFirstChild()) return node;
  do {
    if (cursor.nodeIsNamed) node.children.push(plainNode(cursor, { ...walk, depth: walk.depth + 1 }));
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return node;
}
