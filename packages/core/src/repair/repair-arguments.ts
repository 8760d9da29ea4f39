import type { JsonObject, JsonValue } from '../contract/json.ts';
import { climb, type Rung } from './climb.ts';
import { diagnoseArguments } from './diagnose-arguments.ts';
import { type Forgiveness, type ReadReason, readJson } from './read-json.ts';

/** How far to climb: an answer that was cut off is parsed strictly or not at all. */
export type SalvagePolicy = 'full_ladder' | 'strict_only';
export type ArgumentRung = 'strict' | 'cleaned' | 'trailing_commas' | 'closed_brackets' | 'surplus_closers';
export type RepairReason = 'truncated_turn' | 'too_large' | 'not_object' | ReadReason;

/**
 * `synthesized`: closers were added, so nothing with an effect may run on it. `unrepaired`: every rung failed,
 * `value` is `{}` and must never reach `execute`; `position` is a UTF-16 index into the text.
 */
export type RepairedArguments = {
  value: JsonObject;
  rung: ArgumentRung | 'unrepaired';
  synthesized?: true;
  unrepaired?: { reason: RepairReason; position: number };
};

const inputLimitBytes = 8 * 1024 * 1024;
const repairLimitBytes = 1024 * 1024;

const clean: Forgiveness = { controls: true, trailingCommas: false, close: false, surplus: false };
const ladder: readonly Rung<string, Mended, ArgumentRung>[] = [
  { name: 'strict', mend: mendStrictly },
  { name: 'cleaned', mend: mendWith(clean) },
  { name: 'trailing_commas', mend: mendWith({ ...clean, trailingCommas: true }) },
  { name: 'closed_brackets', mend: mendWith({ ...clean, trailingCommas: true, close: true }) },
  { name: 'surplus_closers', mend: mendWith({ controls: true, trailingCommas: true, close: true, surplus: true }) },
];

/** Mends the arguments of a call; never throws, never invents a value, never drops a key. */
export function repairArguments(text: string, policy: SalvagePolicy): RepairedArguments {
  const strictOnly = policy === 'strict_only';
  if (isLarger(text, inputLimitBytes)) return unrepaired(strictOnly ? 'truncated_turn' : 'too_large', 0);
  const large = isLarger(text, repairLimitBytes);
  const rungs = strictOnly || large ? ladder.slice(0, 1) : ladder;
  const climbed = climb(text, rungs);
  if (climbed) {
    const { value, synthesized } = climbed.value;
    return { value, rung: climbed.rung, ...(synthesized ? { synthesized: true as const } : {}) };
  }
  if (strictOnly) return unrepaired('truncated_turn', text.length);
  if (large) return unrepaired('too_large', 0);
  return explain(text);
}

type Mended = { value: JsonObject; synthesized: boolean };
type Refusal = { reason: RepairReason; position: number };

function mendStrictly(text: string): Mended | null {
  const read = readJson(text);
  if (!read.ok || !isObject(read.value) || !/^[ \t\r\n]*$/.test(text.slice(read.end))) return null;
  return { value: read.value, synthesized: false };
}

function mendWith(forgive: Forgiveness): (text: string) => Mended | null {
  return (text) => {
    if (text.trim() === '') return { value: {}, synthesized: false };
    const mended = mend(text, forgive);
    return 'reason' in mended ? null : mended;
  };
}

function mend(text: string, forgive: Forgiveness): Mended | Refusal {
  let read = readJson(text, startOf(text), forgive);
  // Some providers send an empty object with the block's start and the real one behind it.
  while (read.ok && isEmptyObject(read.value) && !read.synthesized && /^\s*\{/.test(text.slice(read.end))) {
    read = readJson(text, read.end, forgive);
  }
  if (!read.ok) return read;
  const value = typeof read.value === 'string' ? unwrap(read.value) : read.value;
  const position = endOfNoise(text, read.end, read.value, forgive);
  if (position < text.length) return { reason: 'unparseable', position };
  if (!isObject(value)) return { reason: 'not_object', position: 0 };
  return { value, synthesized: read.synthesized };
}

/** Index behind a byte order mark, white space and the opening line of an outer code fence. */
function startOf(text: string): number {
  return /^[\s\u200b-\u200d\u2060]*(?:(?:`{3,}|~{3,})[ \t]*[\w+.-]*(?=[\s{"]))?/.exec(text)?.[0].length ?? 0;
}

/** A string is opened once, and only when what it holds is an object beyond doubt. */
function unwrap(text: string): JsonValue {
  return mendStrictly(text)?.value ?? text;
}

const noise =
  /(?:[\s\0\u200b-\u200d\u2060]+|`{3,}|~{3,}|<[^<>\s]{0,64}?[|｜]>|<\/[^<>]{1,64}>|\[\/[A-Z_]{1,32}\]|<(?:eos|endoftext|end_of_turn)>)+/y;

/** Index of the first thing behind the value that is more than noise; the length of the text when all of it is. */
function endOfNoise(text: string, end: number, value: JsonValue, forgive: Forgiveness): number {
  const first = JSON.stringify(value);
  let at = end;
  for (;;) {
    noise.lastIndex = at;
    at += noise.exec(text)?.[0].length ?? 0;
    const char = text[at];
    if (forgive.surplus && (char === '}' || char === ']')) {
      at += 1;
      continue;
    }
    if (char !== '{') return at;
    const repeat = readJson(text, at, { ...forgive, close: false });
    if (!repeat.ok || JSON.stringify(repeat.value) !== first) return at;
    at = repeat.end;
  }
}

function explain(text: string): RepairedArguments {
  const damage = diagnoseArguments(text);
  if (damage) return unrepaired(damage.reason, damage.position);
  const mended = mend(text, { controls: true, trailingCommas: true, close: true, surplus: true });
  return 'reason' in mended ? unrepaired(mended.reason, mended.position) : unrepaired('unparseable', 0);
}

function unrepaired(reason: RepairReason, position: number): RepairedArguments {
  return { value: {}, rung: 'unrepaired', unrepaired: { reason, position } };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmptyObject(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function isLarger(text: string, limitBytes: number): boolean {
  // One UTF-16 unit takes one to three bytes, so most texts need no counting.
  if (text.length > limitBytes) return true;
  return text.length * 3 > limitBytes && new TextEncoder().encode(text).length > limitBytes;
}
