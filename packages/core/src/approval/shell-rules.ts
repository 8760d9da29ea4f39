import type { Args } from './command-args.ts';
import { atLeast, type Finding, found, readOnly } from './command-class.ts';
import { shows } from './command-options.ts';
import type { Rule } from './command-rule.ts';

function readLines(args: Args): Finding {
  return args.has('C') || args.words.some((word) => /\[/.test(word.source))
    ? found('executes', 'It runs code while it reads.')
    : found('writes', 'It sets variables.');
}

/** Commands of the shell itself. */
export const shellRules: Readonly<Record<string, Rule>> = {
  set: shows('writes'),
  shopt: shows('writes', ['p']),
  dirs: (args) => (args.has('c') || args.dynamic ? found('writes', 'dirs changes the shell.') : readOnly),
  jobs: (args, { judgeWords }) => {
    const at = args.words.findIndex((word) => /^-\w*x$/.test(word.text ?? ''));
    if (at === -1 && !args.dynamic) return readOnly;
    return atLeast('executes', 'jobs starts a command.', [judgeWords(args.words.slice(at + 1))]);
  },
  mapfile: readLines,
  readarray: readLines,
  bind: (args) =>
    args.has('x', 'f', 'u', 'r', 'm') || args.operands.length > 0
      ? found('executes', 'bind makes keys run commands.')
      : readOnly,
  complete: (args) =>
    args.words.length === 0 || args.has('p') ? readOnly : found('executes', 'complete runs code later.'),
  enable: (args) =>
    args.has('f')
      ? found('executes', 'enable loads a library into the shell.')
      : found('writes', 'enable changes the shell.'),
  fc: (args) => (args.surely(['l'], ['e']) ? readOnly : found('executes', 'fc runs commands again.')),
  let: (args) =>
    args.words.some((word) => /\[/.test(word.source))
      ? found('executes', 'A subscript is evaluated.')
      : found('writes', 'let sets a variable.'),
  unset: (args) =>
    args.words.some((word) => /\[/.test(word.source))
      ? found('executes', 'A subscript is evaluated.')
      : found('writes', 'unset changes the shell.'),
  read: (args) =>
    args.words.some((word) => /\[/.test(word.source))
      ? found('executes', 'A subscript is evaluated.')
      : found('writes', 'read sets variables.'),
};
