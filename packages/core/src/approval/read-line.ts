import type { CommandParser, SyntaxNode } from '../contract/ports.ts';
import { plainWord, readWord, type Word } from './read-words.ts';

export type Redirect = { operator: string; target: Word };
/** What a command reads: text that stands in the line, something only run time knows, or nothing of the line's. */
export type Input = { kind: 'text'; text: string } | { kind: 'later' } | { kind: 'none' };
export type LineCommand = {
  words: Word[];
  assignments: { name: string; value: Word | null }[];
  redirects: Redirect[];
  input: Input;
};

/** A line taken apart: every command in it, however deep, and whatever is not a command but has an effect. */
export type Line = {
  commands: LineCommand[];
  /** `export`, `declare` and their kin, with what they set. */
  declarations: { keyword: string; flags: string[]; assignments: { name: string; value: Word | null }[] }[];
  assignments: { name: string; value: Word | null }[];
  functions: { name: string; callsItself: boolean }[];
  /** Forms that bash evaluates again when it runs, so that data can become code. */
  lateCode: string[];
  /** Parts that were not understood. */
  unreadable: string[];
  /** Something stands deeper than anybody looks. */
  tooDeep: boolean;
};

/** Statements and their parts that only hold others. */
const containers: ReadonlySet<string> = new Set([
  'program',
  'list',
  'subshell',
  'compound_statement',
  'do_group',
  'if_statement',
  'elif_clause',
  'else_clause',
  'while_statement',
  'for_statement',
  'c_style_for_statement',
  'case_statement',
  'case_item',
  'negated_command',
]);
/** Arithmetic and conditions: harmless but for subscripts, which bash evaluates. */
const expressions: ReadonlySet<string> = new Set([
  'binary_expression',
  'unary_expression',
  'postfix_expression',
  'parenthesized_expression',
  'ternary_expression',
  'test_command',
  'arithmetic_expansion',
]);

const deepest = 200;

export function readLine(command: string, parser: CommandParser): Line {
  const nothing = { commands: [], declarations: [], assignments: [], functions: [], lateCode: [], unreadable: [] };
  const line: Line = { ...nothing, tooDeep: false };
  const root = parser.parse(command);
  readStatement(root, { line, parser, input: { kind: 'none' }, depth: 0 });
  if (root.hasError && line.unreadable.length === 0 && !isOnlyReadWrite(root))
    line.unreadable.push(command.slice(0, 80));
  return line;
}

/** The grammar does not know `<>`; it reads the rest of such a line well. A part that is missing leaves no node at all. */
function isOnlyReadWrite(root: SyntaxNode): boolean {
  const errors: SyntaxNode[] = [];
  const collect = (node: SyntaxNode, parent: SyntaxNode | null): void => {
    if (node.type === 'ERROR') errors.push(parent?.type === 'file_redirect' && node.text === '>' ? parent : node);
    for (const child of node.children) collect(child, node);
  };
  collect(root, null);
  return errors.length > 0 && errors.every((node) => node.type === 'file_redirect');
}

type Context = { line: Line; parser: CommandParser; input: Input; depth: number };

function readStatement(node: SyntaxNode, context: Context): void {
  if (node.type === 'comment') return;
  if (context.depth > deepest) {
    context.line.tooDeep = true;
    return;
  }
  const read = Object.hasOwn(readers, node.type) ? readers[node.type] : undefined;
  (read ?? readOther)(node, { ...context, depth: context.depth + 1 });
}

const readers: Readonly<Record<string, (node: SyntaxNode, context: Context) => void>> = {
  command: (node, context) => readCommand(node, [], context),
  pipeline: readPipeline,
  redirected_statement: readRedirected,
  declaration_command: readDeclaration,
  unset_command: readDeclaration,
  variable_assignment: (node, context) => context.line.assignments.push(readAssignment(node, context)),
  variable_assignments: (node, context) => {
    for (const one of node.children) context.line.assignments.push(readAssignment(one, context));
  },
  function_definition: readFunction,
};

function readOther(node: SyntaxNode, context: Context): void {
  if (node.type === 'ERROR') context.line.unreadable.push(node.text.slice(0, 80));
  // A loop's variable can carry a subscript into arithmetic, which evaluates it.
  if (node.type === 'for_statement')
    for (const child of node.children)
      if (child.field === 'value' && /\[[\s\S]*[$`]/.test(child.text)) context.line.lateCode.push(child.text);
  if (containers.has(node.type)) for (const child of node.children) readStatement(child, context);
  else readInside(node, context);
}

/** Substitutions, arithmetic and late evaluation inside words. */
function readInside(node: SyntaxNode, context: Context): void {
  const { line } = context;
  if (node.type === 'command_substitution' || node.type === 'process_substitution') {
    const quiet = { ...context, input: { kind: 'none' } as const, depth: context.depth + 1 };
    for (const child of node.children) readStatement(child, quiet);
    return;
  }
  if (node.type === 'ERROR') line.unreadable.push(node.text.slice(0, 80));
  if (node.type === 'subscript' && !/\[(?:\d+|[@*])\]$/.test(node.text)) line.lateCode.push(node.text);
  if (node.type === 'expansion' && (/^\$\{!/.test(node.text) || /@P\}$/.test(node.text))) line.lateCode.push(node.text);
  if (expressions.has(node.type) && isLate(node)) line.lateCode.push(node.text);
  for (const child of node.children) readInside(child, context);
}

/** `-v name` and number comparisons evaluate subscripts in what they are given, quoted or not. */
function isLate(node: SyntaxNode): boolean {
  if (node.type === 'arithmetic_expansion') return /[A-Za-z_]\w*\s*\[/.test(node.text);
  if (node.type !== 'test_command')
    return /\[/.test(node.text) && node.type !== 'unary_expression' && /^\(\(/.test(node.text);
  return (
    /\s-[vR]\s+\S*\[/.test(node.text) ||
    (/\s-(?:eq|ne|lt|le|gt|ge)\s/.test(node.text) && /[A-Za-z_]\w*\[/.test(node.text))
  );
}

function readCommand(node: SyntaxNode, also: readonly Word[], context: Context): void {
  const command: LineCommand = { words: [], assignments: [], redirects: [], input: context.input };
  for (const child of node.children) {
    if (child.type === 'variable_assignment') command.assignments.push(readAssignment(child, context));
    else if (child.type.endsWith('_redirect')) readRedirect(child, command, context);
    else {
      command.words.push(readWord(child));
      readInside(child, context);
    }
  }
  command.words.push(...also);
  context.line.commands.push(command);
}

function readPipeline(node: SyntaxNode, context: Context): void {
  let { input } = context;
  for (const child of node.children) {
    const before = context.line.commands.length;
    readStatement(child, { ...context, input });
    input = outputOf(context.line.commands.slice(before));
  }
}

/** The text a command prints, where the line itself says it. */
function outputOf(commands: readonly LineCommand[]): Input {
  const [only, ...others] = commands;
  const [program, ...args] = only?.words.map((word) => word.text) ?? [];
  if (others.length > 0 || (program !== 'echo' && program !== 'printf') || args.includes(null))
    return { kind: 'later' };
  return { kind: 'text', text: args.filter((arg) => arg !== null && !/^-[neE]+$/.test(arg)).join(' ') };
}

function readRedirected(node: SyntaxNode, context: Context): void {
  const body = node.children.find((child) => child.field === 'body' || !child.type.endsWith('_redirect'));
  const holder: LineCommand = { words: [], assignments: [], redirects: [], input: context.input };
  const extra: Word[] = [];
  for (const child of node.children) if (child !== body) extra.push(...readRedirect(child, holder, context));
  if (body?.type === 'command') {
    const before = context.line.commands.length;
    readCommand(body, extra, { ...context, input: holder.input });
    context.line.commands[before]?.redirects.push(...holder.redirects);
    return;
  }
  if (body) readStatement(body, { ...context, input: holder.input });
  context.line.commands.push(holder);
}

/** Fills in what a redirection does and answers the words that the grammar counts to it though they belong to the command. */
function readRedirect(node: SyntaxNode, command: LineCommand, context: Context): Word[] {
  if (node.type === 'heredoc_redirect') return readHeredoc(node, command, context);
  const words = node.children.filter((child) => child.type !== 'file_descriptor' && child.type !== 'ERROR');
  for (const child of words) readInside(child, context);
  const [target, ...others] = words.map(readWord);
  if (node.type === 'herestring_redirect') {
    command.input =
      target?.text === null || target === undefined ? { kind: 'later' } : { kind: 'text', text: target.text };
    return others;
  }
  const operator = /^(?:\d+|\{\w+\})?(&>>|&>|>>|>\||>&|<&|<>|>|<)/.exec(node.text)?.[1] ?? '?';
  command.redirects.push({ operator, target: target ?? plainWord('-') });
  if (operator.startsWith('<')) command.input = { kind: 'later' };
  return others;
}

/** A here-document keeps a backslash except before `$`, a back quote, itself and a line's end; a quote means nothing. */
const asQuoted = (body: string): string =>
  body.replace(/\\[$`\\\n]|\\|"/g, (found) => (found === '"' ? '\\"' : found === '\\' ? '\\\\' : found));

/** The grammar is unsure inside here-documents, so an unquoted one is read again as the string it is. */
function readHeredoc(node: SyntaxNode, command: LineCommand, context: Context): Word[] {
  const start = node.children.find((child) => child.type === 'heredoc_start');
  const body = node.children.find((child) => child.type === 'heredoc_body')?.text ?? '';
  const quoted = /['"\\]/.test(start?.text ?? '');
  const asString = quoted ? null : context.parser.parse(`: "${asQuoted(body)}"`);
  if (asString) readInside(asString, { ...context, input: { kind: 'none' } });
  command.input = quoted || !/[$`]/.test(body) ? { kind: 'text', text: body } : { kind: 'later' };
  const extra: Word[] = [];
  for (const child of node.children) {
    if (child.type.startsWith('heredoc_') || child.type === 'file_descriptor') continue;
    if (child.type.endsWith('_redirect')) extra.push(...readRedirect(child, command, context));
    else if (child.field === 'argument' || child.type === 'word') {
      // The grammar took the body's first line for words of the command.
      if (child.text.startsWith('\n')) context.line.unreadable.push(child.text.trim().slice(0, 80));
      readInside(child, context);
      extra.push(readWord(child));
    } else
      readStatement(child, {
        ...context,
        input: child.type === 'pipeline' || child.type === 'command' ? command.input : { kind: 'none' },
      });
  }
  return extra;
}

function readAssignment(node: SyntaxNode, context: Context): { name: string; value: Word | null } {
  const name = node.children.find((child) => child.field === 'name') ?? node.children[0];
  const value = node.children.find((child) => child.field === 'value');
  for (const child of node.children) if (child !== name || child.type === 'subscript') readInside(child, context);
  return { name: name?.text ?? '', value: value ? readWord(value) : null };
}

function readDeclaration(node: SyntaxNode, context: Context): void {
  const declared = {
    keyword: /^\w+/.exec(node.text)?.[0] ?? '',
    flags: [] as string[],
    assignments: [] as Line['assignments'],
  };
  for (const child of node.children) {
    if (child.type === 'variable_assignment') declared.assignments.push(readAssignment(child, context));
    else {
      readInside(child, context);
      const { text } = readWord(child);
      if (text !== null && /[$`]/.test(text)) context.line.lateCode.push(child.text);
      if (text?.startsWith('-') || text?.startsWith('+')) declared.flags.push(text);
      else if (text === null || /\[/.test(text)) context.line.lateCode.push(child.text);
      else declared.assignments.push({ name: text, value: null });
    }
  }
  context.line.declarations.push(declared);
}

function readFunction(node: SyntaxNode, context: Context): void {
  const name = node.children.find((child) => child.field === 'name')?.text ?? '';
  const before = context.line.commands.length;
  for (const child of node.children)
    if (child.field !== 'name') readStatement(child, { ...context, input: { kind: 'none' } });
  const body = context.line.commands.slice(before);
  context.line.functions.push({
    name,
    callsItself: name !== '' && body.some((command) => command.words[0]?.text === name),
  });
}
