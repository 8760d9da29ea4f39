import type { CommandParser } from '../contract/ports.ts';
import type { CommandJudgement } from '../contract/tool-spec.ts';
import { atLeast, type Finding, found, readOnly, worst } from './command-class.ts';
import { judgeProgram } from './judge-program.ts';
import { diskDevice, harmlessVariables, runningVariables } from './program-classes.ts';
import { type Line, type LineCommand, type Redirect, readLine } from './read-line.ts';
import type { Word } from './read-words.ts';

/** A script inside a script inside a script: deeper, nobody reads it either. */
const deepest = 6;
/** Each one makes the grammar look at all that follows; thousands take seconds. */
const mostHeredocs = 50;
const oddControls = /(?![\t\n])\p{Cc}/u;

/** Refused, not asked about: nobody reads that far, and a rule that denies what stands at the bottom must not miss it. */
const tooDeep: Finding = {
  ...found('executes', 'The command is nested too deep to be read.'),
  refuse: 'It is nested too deep to be read. Write it flat, or put it into a script file.',
};

/** Grades a command line by its worst part, inside substitutions and launchers too; what cannot be read counts as code. */
export function judgeCommand(command: string, parser: CommandParser | null): CommandJudgement {
  const simple: string[][] = [];
  const judged = parser
    ? judgeText(command, { parser, simple, depth: 0 })
    : found('executes', 'The command could not be read here.');
  return {
    class: judged.class,
    reasons: judged.reason === '' ? [] : [judged.reason],
    simple,
    refuse: judged.refuse ?? null,
  };
}

/** Carried through nested text; `simple` collects every simple command met. */
type JudgeContext = { parser: CommandParser; simple: string[][]; depth: number };

function judgeText(text: string, context: JudgeContext): Finding {
  if (context.depth > deepest) return tooDeep;
  if ((text.match(/<</g)?.length ?? 0) > mostHeredocs) return tooDeep;
  // To the grammar they are blanks, to the shell they are letters of a word: the two would not read the same program.
  if (oddControls.test(text)) return found('executes', 'It holds control characters.');
  const line = readLine(text, context.parser);
  const inner = { ...context, depth: context.depth + 1 };
  return worst([
    ...line.commands.map((command) => judgeLineCommand(command, line, inner)),
    ...line.declarations.map((declared) => judgeDeclaration(declared, inner)),
    ...line.assignments.map(({ name, value }) => judgeAssignment(name, value)),
    ...line.functions.map(judgeFunction),
    ...line.lateCode.map((code) => found('executes', `${code} is evaluated when it runs.`)),
    ...(line.tooDeep ? [tooDeep] : []),
    ...line.unreadable.map((part) => found('executes', `This part could not be read: ${part}`)),
  ]);
}

function judgeLineCommand(command: LineCommand, line: Line, context: JudgeContext): Finding {
  const { words, assignments, redirects, input } = command;
  const note = (some: readonly Word[]) => {
    if (some.length > 0) context.simple.push(some.map((word) => word.text ?? word.source));
  };
  note(words);
  const own = words[0]?.text ?? null;
  const isFunction = own !== null && line.functions.some((one) => one.name === own);
  const emptied =
    redirects.some(({ operator }) => operator.startsWith('>')) && words.some((word) => word.text === '/dev/null');
  return worst([
    // What a function of the line does is judged where it stands.
    words.length === 0 || isFunction
      ? readOnly
      : judgeProgram(words, input, { note, judgeText: (text) => judgeText(text, context) }),
    ...assignments.map(({ name }) => judgePrefix(name)),
    ...redirects.map(judgeRedirect),
    emptied ? found('destructive', 'It writes /dev/null over a file.') : readOnly,
  ]);
}

function judgeRedirect({ operator, target }: Redirect): Finding {
  const path = target.text;
  if (path !== null && /^\/dev\/(?:tcp|udp)\//.test(path)) return found('network', `It connects to ${path}.`);
  if (operator === '<' || operator === '<&' || operator === '?') return readOnly;
  if (operator === '>&' && path !== null && /^(?:\d+-?|-)$/.test(path)) return readOnly;
  if (path !== null && /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(path)) return readOnly;
  if (path !== null && (diskDevice.test(path) || path === '/proc/sysrq-trigger')) {
    return { ...found('destructive', `It writes over ${path}.`), refuse: `It writes over the device ${path}.` };
  }
  return found('writes', `It writes ${path ?? target.source}.`);
}

/** In front of a command a variable changes what that command runs, unless it is one that only changes how it looks. */
function judgePrefix(name: string): Finding {
  return harmlessVariables.test(name) ? readOnly : found('executes', `${name} may change what is run.`);
}

function judgeAssignment(name: string, value: Word | null): Finding {
  if (/\[(?!\d+\]|[@*]\])/.test(name)) return found('executes', `${name} is evaluated when it is set.`);
  if (runningVariables.test(name) && value?.text !== '') return found('executes', `${name} holds what is run later.`);
  return found('writes', `It sets ${name}.`);
}

function judgeDeclaration(declared: Line['declarations'][number], context: JudgeContext): Finding {
  const { keyword, flags, assignments } = declared;
  const prints =
    assignments.every(({ value }) => value === null) &&
    (keyword === 'export' || keyword === 'declare' || keyword === 'typeset' || keyword === 'readonly');
  context.simple.push([
    keyword,
    ...flags,
    ...assignments.map(({ name, value }) => (value ? `${name}=${value.text ?? value.source}` : name)),
  ]);
  if (prints && (assignments.length === 0 || flags.some((flag) => flag.includes('p')))) return readOnly;
  // A name reference is resolved, subscript and all, each time it is used.
  if (
    flags.some((flag) => /^-\w*[ni]/.test(flag)) &&
    assignments.some(({ value }) => value !== null && /\[/.test(value.source))
  ) {
    return found('executes', 'What it refers to is evaluated later.');
  }
  return atLeast(
    'writes',
    `${keyword} changes the shell.`,
    assignments.map(({ name, value }) => (value ? judgeAssignment(name, value) : readOnly)),
  );
}

function judgeFunction({ name, callsItself }: Line['functions'][number]): Finding {
  if (!callsItself) return found('writes', `It defines ${name}.`);
  const reason = `${name} starts itself again and again.`;
  return { ...found('destructive', reason), refuse: reason };
}
