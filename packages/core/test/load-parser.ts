import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Language, Parser, type TreeCursor } from 'web-tree-sitter';
import type { CommandParser, SyntaxNode } from '../src/contract/ports.ts';

/** The real bash grammar, as a host loads it; for the tests of this package alone. */
export async function loadParser(): Promise<CommandParser> {
  await Parser.init();
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-bash/tree-sitter-bash.wasm');
  const bash = new Parser();
  bash.setLanguage(await Language.load(readFileSync(grammar)));
  return {
    parse(command) {
      const tree = bash.parse(command);
      if (!tree) throw new Error('The grammar gave no tree.');
      const node = plainNode(tree.walk(), command);
      tree.delete();
      return node;
    },
  };
}

function plainNode(cursor: TreeCursor, command: string): SyntaxNode {
  const { nodeType: type, startIndex: start, endIndex: end } = cursor;
  const { hasError } = cursor.currentNode;
  const node: SyntaxNode = {
    type,
    start,
    end,
    text: command.slice(start, end),
    field: cursor.currentFieldName,
    isNamed: true,
    hasError,
    children: [],
  };
  if (!cursor.gotoFirstChild()) return node;
  do {
    if (cursor.nodeIsNamed) node.children.push(plainNode(cursor, command));
  } while (cursor.gotoNextSibling());
  cursor.gotoParent();
  return node;
}
