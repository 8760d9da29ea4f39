import { type Args, readArgs } from './command-args.ts';
import { atLeast, type Finding, found, readOnly } from './command-class.ts';
import type { RuleContext } from './command-rule.ts';
import { expandBraces } from './expand-braces.ts';
import { judgeLauncher } from './judge-launcher.ts';
import {
  connectors,
  destroyers,
  destructiveCode,
  diskTools,
  interpreters,
  launchers,
  plainWriters,
  pureReaders,
  rootPaths,
  shells,
  systemFolders,
  versionOptions,
} from './program-classes.ts';
import { programRules } from './program-rules.ts';
import type { Input } from './read-line.ts';
import type { Word } from './read-words.ts';

/** The way from a program back to whole lines, and the list every simple command is noted in. */
export type ProgramContext = { judgeText(text: string): Finding; note(words: readonly Word[]): void };

/** One simple command, program and options. */
export function judgeProgram(words: readonly Word[], input: Input, context: ProgramContext): Finding {
  const [first, ...rest] = words.flatMap(expandBraces);
  if (!first) return readOnly;
  const program = programName(first);
  if (program.name === null) return unknownName(first, words);
  const { name } = program;
  const args = readArgs(rest);
  const inside: RuleContext = {
    program: name,
    input,
    judgeText: context.judgeText,
    judgeWords: (inner, innerInput = input) => {
      context.note(inner);
      return judgeProgram(inner, innerInput, context);
    },
  };
  if (program.elsewhere && !destroyers.has(name)) return found('executes', `${first.source} is a program of its own.`);
  return judgeNamed(name, args, inside);
}

function judgeNamed(name: string, args: Args, context: RuleContext): Finding {
  if (onlyTellsVersion(name, args)) return readOnly;
  const rule = Object.hasOwn(programRules, name) ? programRules[name] : undefined;
  if (rule) return rule(args, context);
  if (shells.has(name)) return judgeShell(args, context);
  if (interpreters.has(name) || /^(?:python|perl|ruby|php|lua)[\d.]+$/.test(name))
    return judgeInterpreter(args, context);
  if (Object.hasOwn(launchers, name)) return judgeLauncher(args, context);
  if (destroyers.has(name) || name.startsWith('mkfs.')) return judgeDestroyer(args, context);
  if (pureReaders.has(name)) return readOnly;
  if (plainWriters.has(name)) return found('writes', `${name} changes files or the shell.`);
  if (connectors.has(name)) return found('network', `${name} connects to other machines.`);
  if (args.operands[0] === 'destroy') return found('destructive', `${name} destroys what it manages.`);
  return found('executes', `${name} may run anything.`);
}

/** The one argument of a program that looks at nothing of the project before it tells its version. */
function onlyTellsVersion(name: string, { words, texts }: Args): boolean {
  const options = Object.hasOwn(versionOptions, name) ? versionOptions[name] : undefined;
  return words.length === 1 && (options?.includes(texts[0] ?? '') ?? false);
}

/** The name that is run, where the line tells it; `elsewhere` marks one from a folder that is not the system's. */
function programName(word: Word): { name: string | null; elsewhere: boolean } {
  if (word.text === null) return { name: null, elsewhere: false };
  const slash = word.text.lastIndexOf('/');
  const name = word.text.slice(slash + 1);
  if (word.glob && /[*?[{]/.test(name)) return { name: null, elsewhere: false };
  const known = slash === -1 || systemFolders.has(word.text.slice(0, slash));
  return { name, elsewhere: !known };
}

function unknownName(first: Word, words: readonly Word[]): Finding {
  const hint = words.some((word) => /^-[rf]+$/.test(word.text ?? '')) && /\brm\b/.test(first.source);
  return found(hint ? 'destructive' : 'executes', `Which program ${first.source} names is known only when it runs.`);
}

/** A shell runs its -c text, its script or its input; what stands in the line is read. */
function judgeShell(args: Args, context: RuleContext): Finding {
  const at = args.words.findIndex((word) => /^-\w*c$/.test(word.text ?? ''));
  const reason = `${context.program} runs commands.`;
  if (at !== -1) {
    const text = args.words[at + 1]?.text ?? null;
    return text === null
      ? found('executes', 'What the shell runs is known only when it runs.')
      : atLeast('executes', reason, [context.judgeText(text)]);
  }
  const readsInput = args.operands.length === 0 || args.has('s');
  if (readsInput && context.input.kind === 'text')
    return atLeast('executes', reason, [context.judgeText(context.input.text)]);
  return found('executes', reason);
}

function judgeInterpreter(args: Args, context: RuleContext): Finding {
  const code = [...args.texts, context.input.kind === 'text' ? context.input.text : ''].join('\n');
  if (destructiveCode.test(code))
    return found('destructive', `The code given to ${context.program} removes something.`);
  return found('executes', `${context.program} runs code.`);
}

function judgeDestroyer(args: Args, context: RuleContext): Finding {
  const { program } = context;
  const finding = found('destructive', `${program} removes or ends things for good.`);
  if (diskTools.has(program) || program.startsWith('mkfs.'))
    return { ...finding, refuse: `${program} works on whole disks.` };
  const recursive = program === 'rm' && (args.has('r', 'R', 'recursive') || args.has('no-preserve-root'));
  const target = args.operands.find((path) => rootPaths.test(path.replace(/(?<=.)\/+$/, '')));
  return recursive && target !== undefined
    ? { ...finding, refuse: `It removes ${target} and everything below.` }
    : finding;
}
