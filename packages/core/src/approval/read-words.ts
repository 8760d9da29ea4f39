import type { SyntaxNode } from '../contract/ports.ts';

/** One word of a command. `text` is what the program gets after quote removal, null where only run time knows. */
export type Word = {
  text: string | null;
  source: string;
  /** Unquoted pattern characters: may become several words. */
  glob: boolean;
};

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

export function readWord(node: SyntaxNode): Word {
  return { text: literalOf(node), source: node.text, glob: hasGlob(node) };
}

/** Run time may make any number of words of it, options too: an unquoted expansion or pattern. */
export function maySplit(word: Word): boolean {
  if (word.text !== null) return word.glob && /[*?[]/.test(word.source);
  return /[$`…]/.test(word.source.replace(/"(?:\\[\s\S]|[^"\\])*"/g, ''));
}

/** A word that is known as text, such as one that a program would split itself. */
export function plainWord(text: string): Word {
  return { text, source: text, glob: false };
}

/** What is appended at run time: file names from a pipe, matches of a search. */
export const laterWord: Word = { text: null, source: '…', glob: false };

function literalOf(node: SyntaxNode): string | null {
  switch (node.type) {
    case 'word':
    case 'number':
    case 'variable_name':
    case 'extglob_pattern':
    case 'test_operator':
      return node.children.length > 0
        ? null
        : node.text.replace(/\\(\n|[\s\S])/g, (_, character: string) => (character === '\n' ? '' : character));
    case 'raw_string':
      return node.text.slice(1, -1);
    case 'string':
      return literalString(node);
    case 'ansi_c_string':
      return decodeAnsi(node.text.slice(2, -1));
    case 'command_name':
      return node.children[0] ? literalOf(node.children[0]) : node.text;
    case 'concatenation':
      return literalJoin(node);
    // What the program gets is the name of a pipe.
    case 'process_substitution':
      return '/dev/fd/63';
    default:
      return null;
  }
}

function literalString(node: SyntaxNode): string | null {
  if (node.children.some((child) => child.type !== 'string_content')) return null;
  return node.text
    .slice(1, -1)
    .replace(/\\([$`"\\\n])/g, (_, character: string) => (character === '\n' ? '' : character));
}

/** Only where the parts are the whole: anything between them is a form that was not understood. */
function literalJoin(node: SyntaxNode): string | null {
  const parts = node.children.map(literalOf);
  const covered = node.children.reduce((sum, child) => sum + (child.end - child.start), 0);
  if (covered !== node.end - node.start || parts.includes(null)) return null;
  return parts.join('');
}

function decodeAnsi(text: string): string {
  return text.replace(
    /\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|c.|[\s\S])/g,
    (_, code: string) => {
      const kind = code[0] ?? '';
      if (code.length > 1 && 'xuU'.includes(kind))
        return String.fromCodePoint(Math.min(Number.parseInt(code.slice(1), 16), 0x10ffff));
      if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8) & 0xff);
      if (code.length === 2) return String.fromCodePoint(code.charCodeAt(1) & 0x1f);
      return escapes[code] ?? code;
    },
  );
}

function hasGlob(node: SyntaxNode): boolean {
  if (node.type === 'word') return /(?<!\\)[*?[{]/.test(node.text);
  if (node.type === 'extglob_pattern' || node.type === 'brace_expression') return true;
  return node.type === 'concatenation' || node.type === 'command_name' ? node.children.some(hasGlob) : false;
}
