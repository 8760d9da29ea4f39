import type { JsonValue } from '../contract/json.ts';
import { ToolError } from '../errors.ts';

type Step =
  | { kind: 'key'; key: string }
  | { kind: 'all' }
  | { kind: 'range'; from: number | null; to: number | null }
  | { kind: 'length' }
  | { kind: 'keys' };

const step =
  /\.(length|keys)\(\)|\.([\w-]+)|\[(-?\d+)\]|\[(-?\d*):(-?\d*)\]|\[\*\]|\["([^"\]]*)"\]|\['([^'\]]*)'\]|\.\*/gy;

/**
 * The plain part of JSONPath: `$.a.b[0]["c d"][*]`, ranges `[0:20]`, and at the end `.length()` (items, fields or
 * characters) or `.keys()`.
 * @throws ToolError invalid_input, not_found
 */
export function readJsonPath(value: JsonValue, path: string): JsonValue {
  let found: JsonValue[] = [value];
  let many = false;
  for (const one of parse(path)) {
    if (one.kind === 'range' && !many) {
      // A range of one list is one list, so that it can be counted.
      found = found.map((inner) => rangeOf(inner, one));
      continue;
    }
    many ||= one.kind === 'all';
    found = found.flatMap((inner) => take(inner, one));
    if (found.length === 0 && !many) {
      throw new ToolError('not_found', `${path} is not in the stored JSON.`, {
        next: 'Use mode json with path "$.keys()" or "$.length()" to see its shape.',
      });
    }
  }
  return many ? found : (found[0] ?? null);
}

function parse(path: string): Step[] {
  const text = path.startsWith('$') ? path.slice(1) : path.startsWith('[') ? path : `.${path}`;
  const steps: Step[] = [];
  let at = 0;
  for (const match of text.matchAll(step)) {
    steps.push(stepOf(match));
    at = match.index + match[0].length;
  }
  const ends = steps.findIndex(({ kind }) => kind === 'length' || kind === 'keys');
  if (at === text.length && (ends === -1 || ends === steps.length - 1)) return steps;
  throw new ToolError('invalid_input', `${JSON.stringify(path)} is no path that is understood.`, {
    next: 'Use a path such as $.items[0].name, $.items[0:20] or $.items.length().',
  });
}

function stepOf([whole, act, name, index, from, to, double, single]: RegExpMatchArray): Step {
  if (act === 'length' || act === 'keys') return { kind: act };
  if (from !== undefined) return { kind: 'range', from: numberOf(from), to: numberOf(to ?? '') };
  const key = name ?? index ?? double ?? single;
  return key === undefined || whole === '.*' ? { kind: 'all' } : { kind: 'key', key };
}

function numberOf(text: string): number | null {
  return text === '' ? null : Number(text);
}

function rangeOf(value: JsonValue, { from, to }: { from: number | null; to: number | null }): JsonValue {
  if (typeof value !== 'string' && !Array.isArray(value)) {
    throw new ToolError('invalid_input', 'A range needs a list or a text.', { next: 'Use .keys() to see the fields.' });
  }
  return value.slice(from ?? 0, to ?? undefined);
}

function take(value: JsonValue, one: Step): JsonValue[] {
  if (one.kind === 'length') return [lengthOf(value)];
  if (one.kind === 'range') return [rangeOf(value, one)];
  if (typeof value !== 'object' || value === null) return [];
  if (one.kind === 'keys') return [Object.keys(value)];
  if (one.kind === 'all') return Object.values(value);
  if (Array.isArray(value)) return itemOf(value, one.key);
  return Object.hasOwn(value, one.key) ? [Object.entries(value).find(([name]) => name === one.key)?.[1] ?? null] : [];
}

function itemOf(list: readonly JsonValue[], key: string): JsonValue[] {
  const item = /^-?\d+$/.test(key) ? list.at(Number(key)) : undefined;
  return item === undefined ? [] : [item];
}

function lengthOf(value: JsonValue): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 1;
}
