import type { Args } from './command-args.ts';
import { atLeast, type Finding, found, readOnly, worst } from './command-class.ts';
import type { RuleContext } from './command-rule.ts';
import { harmlessVariables, launchers } from './program-classes.ts';
import { laterWord, maySplit, type Word } from './read-words.ts';

/** Programs that start another one: as bad as what they start, or as their own kind if that is worse. */
export function judgeLauncher(args: Args, context: RuleContext): Finding {
  const shape = launchers[context.program];
  if (!shape) return found('executes', `${context.program} starts other programs.`);
  const rest = behindOptions(args.words, shape.valued).slice(shape.operands);
  const variables = leadingVariables(rest);
  const inner =
    rest.length === 0 && args.has('install')
      ? found('writes', `${context.program} installs programs.`)
      : context.judgeWords(rest.slice(variables.length));
  const set = variables.map((name) =>
    harmlessVariables.test(name) ? readOnly : found('executes', `${name} may change what is run.`),
  );
  const writesFile =
    context.program === 'time' && args.has('o', 'output')
      ? found('writes', 'time writes its figures to a file.')
      : readOnly;
  return atLeast(shape.floor, `${context.program} starts another program.`, [
    inner,
    ...set,
    writesFile,
    skippedSafely(args.words, rest),
  ]);
}

/** What was passed over in front of the command must not become a command of its own. */
function skippedSafely(words: readonly Word[], rest: readonly Word[]): Finding {
  return words.slice(0, words.length - rest.length).some(maySplit)
    ? found('executes', 'Which command is started is known only when it runs.')
    : readOnly;
}

/** `env` without a command prints; with one it starts it under other variables. */
export function judgeEnv(args: Args, context: RuleContext): Finding {
  const split = args.value('S', 'split-string');
  if (split !== null) return atLeast('executes', 'env splits its text into a command.', [context.judgeText(split)]);
  if (args.has('S', 'split-string')) return found('executes', 'env splits a text that is not known.');
  const rest = behindOptions(args.words, ['-u', '-C', '--unset', '--chdir']);
  const variables = leadingVariables(rest);
  const command = rest.slice(variables.length);
  const set = variables.map((name) =>
    harmlessVariables.test(name) ? readOnly : found('executes', `${name} may change what is run.`),
  );
  const skipped = skippedSafely(args.words, rest);
  return worst(command.length === 0 ? [skipped] : [context.judgeWords(command), ...set, skipped]);
}

const xargsValued = [
  '-I',
  '-n',
  '-P',
  '-L',
  '-s',
  '-d',
  '-E',
  '-a',
  '--max-args',
  '--max-procs',
  '--max-chars',
  '--delimiter',
  '--arg-file',
  '--process-slot-var',
];

/** What comes from the pipe is added to the command, so it may as well be an option. */
export function judgeXargs(args: Args, context: RuleContext): Finding {
  const command = behindOptions(args.words, xargsValued);
  const skipped = skippedSafely(args.words, command);
  if (command.length === 0) return skipped;
  const glued = args.texts.map((text) => /^(?:--replace=|-i)(.+)/.exec(text)?.[1]).find((text) => text !== undefined);
  const marker = args.value('I') ?? glued ?? '{}';
  const filled = command.map((word) => (word.text?.includes(marker) ? { ...word, text: null } : word));
  return worst([skipped, context.judgeWords([...filled, laterWord], { kind: 'later' })]);
}

export function judgeCommandBuiltin(args: Args, context: RuleContext): Finding {
  if (args.words[0]?.text === '-v' || args.words[0]?.text === '-V') return readOnly;
  return context.judgeWords(behindOptions(args.words, []));
}

export function judgeExec(args: Args, context: RuleContext): Finding {
  const command = behindOptions(args.words, ['-a']);
  return command.length === 0
    ? found('writes', 'exec changes what the shell reads and writes.')
    : context.judgeWords(command);
}

export function behindOptions(words: readonly Word[], valued: readonly string[]): Word[] {
  let at = 0;
  for (
    let text = words[at]?.text;
    typeof text === 'string' && text.startsWith('-') && text.length > 1;
    text = words[at]?.text
  ) {
    at += valued.includes(text) ? 2 : 1;
    if (text === '--') break;
  }
  return words.slice(at);
}

function leadingVariables(words: readonly Word[]): string[] {
  const found: string[] = [];
  for (const word of words) {
    const name = /^([A-Za-z_]\w*)=/.exec(word.text ?? word.source)?.[1];
    if (name === undefined) break;
    found.push(name);
  }
  return found;
}
