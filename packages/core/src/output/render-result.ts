import type { ToolOutput } from '../contract/tool-call.ts';
import type { ToolError } from '../errors.ts';

export type PlainOutput = Exclude<ToolOutput, string>;

/** What the model reads of a failure: what was tried and why it failed, what changed, what comes next. */
export function renderError(error: ToolError): string {
  const parts = [`[${error.code}] ${error.message}`, `Changed: ${error.changed ?? 'nothing'}.`];
  if (error.next !== undefined) parts.push(`Next: ${error.next}`);
  return parts.join(' ');
}

/** The last line of defense for `content`: text, never empty, storable. `notes` are the host's own lines. */
export function renderResult(text: string, notes: readonly (string | null | undefined)[]): string {
  const body = text.trim() === '' ? 'no output' : text;
  const lines = notes.filter((note) => note !== null && note !== undefined && note !== '');
  return storable([body.endsWith('\n') && lines.length > 0 ? body.slice(0, -1) : body, ...lines].join('\n'));
}

/** One form for whatever a tool returned, foreign ones included, which no type holds to their word. */
export function readOutput(returned: unknown): PlainOutput {
  if (typeof returned === 'string') return { content: returned };
  if (isOutput(returned)) return returned;
  if (returned === undefined || returned === null) return { content: '' };
  return { content: jsonText(returned), value: plainData(returned) };
}

function isOutput(value: unknown): value is PlainOutput {
  return typeof value === 'object' && value !== null && 'content' in value && typeof value.content === 'string';
}

/** JSON with the spot marked where a value contains itself or has no JSON form. */
export function jsonText(value: unknown): string {
  return JSON.stringify(plainData(value), null, 1) ?? '';
}

/** A copy that has a JSON form, whatever foreign code put there. */
export function plainData(value: unknown): unknown {
  const path: object[] = [];
  const walk = (one: unknown): unknown => {
    if (typeof one === 'bigint' || typeof one === 'symbol' || typeof one === 'function')
      return `[${String(one).slice(0, 80)}]`;
    if (typeof one !== 'object' || one === null) return one;
    if (path.includes(one)) return '[circular]';
    path.push(one);
    const plain = Array.isArray(one) ? one.map(walk) : walkObject(one, walk);
    path.pop();
    return plain;
  };
  return walk(value);
}

function walkObject(object: object, walk: (one: unknown) => unknown): unknown {
  if ('toJSON' in object && typeof object.toJSON === 'function') return walk(object.toJSON());
  return Object.fromEntries(Object.keys(object).map((key) => [key, walk(Reflect.get(object, key))]));
}

/** Neither databases nor providers take a NUL or half a character. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
