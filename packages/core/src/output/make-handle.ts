/** Stands for a stored value that is too long to be shown. `length` counts items, fields or characters. */
export type ValueHandle = { ref: string; kind: string; length: number; preview: string; sha256: string };

const previewChars = 160;
/** Longer texts are not looked at: parsing them would take too long for what it tells. */
const parseCap = 8 * 1024 * 1024;

/** `text` is what is stored, already redacted. */
export function makeHandle(value: unknown, text: string, stored: { ref: string; sha256: string }): ValueHandle {
  const preview = text
    .replace(/\s+/g, ' ')
    .slice(0, previewChars)
    .replace(/[\ud800-\udbff]$/, '');
  return { ref: stored.ref, kind: kindOf(value), length: lengthOf(value), preview, sha256: stored.sha256 };
}

/** What the model reads in place of the value. */
export function renderHandle(handle: ValueHandle): string {
  return `handle ${JSON.stringify(handle)}`;
}

/** How a handle is read; the host's own words. */
export function handleHint({ ref, kind }: ValueHandle): string {
  const path = kind === 'array' ? '$[0:20]' : '$.keys()';
  return `Read a part of it: retrieve_tool_result ${JSON.stringify({ ref, mode: 'json', path })}; count with path "$.length()"; pass it on with input_ref.`;
}

/** The value a text spells out, where a whole list or object stands in it; undefined else. */
export function spelledValue(text: string): unknown {
  if (text.length > parseCap || !/^\s*[[{]/.test(text.slice(0, 100))) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Text that only begins like JSON is text.
    return undefined;
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 1;
}
