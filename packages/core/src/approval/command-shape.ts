import type { CommandParser } from '../contract/ports.ts';
import table from './command-arity.json' with { type: 'json' };
import { readLine } from './read-line.ts';

/** Program and sub-command; `free` where the words behind it do not matter. */
export type CommandShape = { words: string[]; free: boolean; examples: string[] };

/** How a program's command is named, and which of its flags change nothing that matters. */
type Arity = {
  words: number;
  flags: string[];
  valued: string[];
  deeper?: Record<string, number>;
  reading: string[];
  never: string[];
};
const arities: Readonly<Record<string, Arity>> = table;

/** The shape a session grant may stand for; null where only the identical command is the same command. */
export function commandShape(command: string, parser: CommandParser): CommandShape | null {
  const words = simpleWords(command, parser);
  const [program, ...rest] = words ?? [];
  if (program === undefined || !Object.hasOwn(arities, program)) return null;
  const arity = arities[program];
  if (!arity) return null;
  const named = subCommand(rest, arity);
  if (named === null) return null;
  const behind = rest.slice(named.length);
  const reading = arity.reading.includes('*') || named.some((word) => arity.reading.includes(word));
  const positional = withoutFlags(behind, arity);
  if (positional === null) return null;
  const shape = [program, ...named, ...(reading ? [] : positional)];
  return { words: shape, free: reading, examples: examplesFor(shape, arity, reading) };
}

/** One simple command of literal words: no operator, substitution, redirection, variable or pattern. */
function simpleWords(command: string, parser: CommandParser): string[] | null {
  const line = readLine(command, parser);
  const [only, ...others] = line.commands;
  const plain =
    line.declarations.length +
      line.assignments.length +
      line.functions.length +
      line.lateCode.length +
      line.unreadable.length ===
    0;
  if (!only || others.length > 0 || !plain || /[\n&;|]\s*$/.test(command.trimEnd())) return null;
  if (only.assignments.length > 0 || only.redirects.length > 0 || only.input.kind !== 'none') return null;
  const words = only.words.flatMap((word) => (word.text === null || word.glob ? [] : [word.text]));
  return words.length === only.words.length ? words : null;
}

/** Flags in front of it make it another command, and some sub-commands are never one and the same. */
function subCommand(rest: readonly string[], arity: Arity): string[] | null {
  const deeper = arity.deeper?.[rest[0] ?? ''];
  const count = (deeper ?? arity.words) - 1;
  const named = rest.slice(0, count);
  if (named.length < count && deeper === undefined && arity.words > 2) return null;
  if (named.some((word) => word.startsWith('-') || arity.never.includes(word))) return null;
  return named.length < Math.min(count, 1) && arity.words > 1 ? (arity.never.length > 0 ? null : []) : named;
}

/** The words that are no flags; null where a flag is not known to be harmless. */
function withoutFlags(words: readonly string[], arity: Arity): string[] | null {
  const positional: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [flag = ''] = word.split('=');
    if (word === '--') return [...positional, ...words.slice(at + 1)];
    if (!word.startsWith('-') || word === '-') positional.push(word);
    else if (arity.valued.includes(word)) at += 1;
    else if (
      !arity.flags.includes(word) &&
      !(word.includes('=') && arity.valued.includes(flag)) &&
      !/^-(?:j|n|U|\d)\d*$/.test(word)
    )
      return null;
  }
  return positional;
}

function examplesFor(shape: readonly string[], arity: Arity, free: boolean): string[] {
  const base = shape.join(' ');
  const flag = arity.flags[0];
  return [base, ...(flag === undefined ? [] : [`${base} ${flag}`]), ...(free ? [`${base} …`] : [])];
}
