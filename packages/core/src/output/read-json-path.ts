import type { JsonValue } from '../contract/json.ts';
import { ToolError } from '../errors.ts';

const step = /\.([\w-]+)|\[(\d+|\*)\]|\["([^"\]]*)"\]|\['([^'\]]*)'\]|\.\*/gy;

/** The plain part of JSONPath: `$.a.b[0]["c d"][*]`. @throws ToolError invalid_input, not_found */
export function readJsonPath(value: JsonValue, path: string): JsonValue {
  const steps = parse(path);
  let found: JsonValue[] = [value];
  let many = false;
  for (const key of steps) {
    many ||= key === '*';
    found = found.flatMap((one) => children(one, key));
    if (found.length === 0) {
      throw new ToolError('not_found', `${path} is not in the stored JSON.`, {
        next: 'Use mode json with path "$" to see its shape.',
      });
    }
  }
  return many ? found : (found[0] ?? null);
}

function parse(path: string): string[] {
  const text = path.startsWith('$') ? path.slice(1) : `.${path}`;
  const keys: string[] = [];
  let at = 0;
  for (const match of text.matchAll(step)) {
    keys.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '*');
    at = match.index + match[0].length;
  }
  if (at === text.length) return keys;
  throw new ToolError('invalid_input', `${JSON.stringify(path)} is no path that is understood.`, {
    next: 'Use a path such as $.items[0].name.',
  });
}

function children(value: JsonValue, key: string): JsonValue[] {
  if (typeof value !== 'object' || value === null) return [];
  if (key === '*') return Object.values(value);
  return Object.hasOwn(value, key) ? [Object.entries(value).find(([name]) => name === key)?.[1] ?? null] : [];
}
