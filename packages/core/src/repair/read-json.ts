import type { JsonObject, JsonValue } from '../contract/json.ts';

/** Which damage a read forgives; everything else is refused. */
export type Forgiveness = { controls: boolean; trailingCommas: boolean; close: boolean; surplus: boolean };
export type ReadReason = 'too_deep' | 'unterminated_string' | 'missing_value' | 'duplicate_key' | 'unparseable';
export type ReadJson =
  | { ok: true; value: JsonValue; end: number; synthesized: boolean }
  | { ok: false; reason: ReadReason; position: number };

/** Later walks over an input recurse, so nesting ends where they are still safe. */
export const maxDepth = 128;

const forgiveNothing: Forgiveness = { controls: false, trailingCommas: false, close: false, surplus: false };

/** Reads one JSON value from `start`, in one string-aware pass; `end` is the index behind it. */
export function readJson(text: string, start = 0, forgive: Forgiveness = forgiveNothing): ReadJson {
  return new JsonReader(text, start, forgive).read();
}

type Frame = { kind: 'object'; target: JsonObject; key: string } | { kind: 'array'; target: JsonValue[] };
/** `key` and `item` stand behind a comma, `keyOrClose` and `itemOrClose` behind an opener. */
type Expecting = 'value' | 'keyOrClose' | 'key' | 'colon' | 'itemOrClose' | 'item' | 'next' | 'end';

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literals: Readonly<Record<string, { word: string; value: JsonValue }>> = {
  t: { word: 'true', value: true },
  f: { word: 'false', value: false },
  n: { word: 'null', value: null },
};
const escapes = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([name, char]) => [name.charCodeAt(0), char],
  ),
);

class JsonReader {
  private readonly text: string;
  private readonly forgive: Forgiveness;
  private at: number;
  private readonly stack: Frame[] = [];
  private expecting: Expecting = 'value';
  private root: JsonValue = null;
  private synthesized = false;
  private duplicateAt: number | null = null;
  private failure: { reason: ReadReason; position: number } | null = null;

  constructor(text: string, start: number, forgive: Forgiveness) {
    this.text = text;
    this.at = start;
    this.forgive = forgive;
  }

  read(): ReadJson {
    while (this.expecting !== 'end' && this.failure === null) this.step();
    if (this.duplicateAt !== null) return { ok: false, reason: 'duplicate_key', position: this.duplicateAt };
    if (this.failure !== null) return { ok: false, ...this.failure };
    return { ok: true, value: this.root, end: this.at, synthesized: this.synthesized };
  }

  private step() {
    this.skipSpace();
    const char = this.text[this.at];
    if (char === undefined) return this.endOfText();
    if (char === '}' || char === ']') return this.closer(char);
    if (this.expecting === 'next') return this.comma(char);
    if (this.expecting === 'colon') return this.colon(char);
    if (this.expecting === 'key' || this.expecting === 'keyOrClose') return this.key(char);
    this.value(char);
  }

  private skipSpace() {
    const { text } = this;
    let { at } = this;
    for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; ) {
      at += 1;
      code = text.charCodeAt(at);
    }
    this.at = at;
  }

  private comma(char: string) {
    if (char !== ',') return this.fail('unparseable');
    this.at += 1;
    this.expecting = this.stack.at(-1)?.kind === 'object' ? 'key' : 'item';
  }

  private colon(char: string) {
    if (char !== ':') return this.fail('unparseable');
    this.at += 1;
    this.expecting = 'value';
  }

  private key(char: string) {
    const frame = this.stack.at(-1);
    if (char !== '"' || frame?.kind !== 'object') return this.fail('unparseable');
    const from = this.at;
    const key = this.string();
    if (key === null) return;
    if (Object.hasOwn(frame.target, key)) this.duplicateAt ??= from;
    frame.key = key;
    this.expecting = 'colon';
  }

  private value(char: string) {
    if (char === '{' || char === '[') return this.open(char);
    if (char === '"') {
      const value = this.string();
      if (value !== null) this.store(value);
      return;
    }
    const literal = literals[char];
    if (!literal) return this.number();
    if (!this.text.startsWith(literal.word, this.at)) return this.fail('unparseable');
    this.at += literal.word.length;
    this.store(literal.value);
  }

  private open(char: string) {
    if (this.stack.length === maxDepth) return this.fail('too_deep');
    this.at += 1;
    this.stack.push(char === '{' ? { kind: 'object', target: {}, key: '' } : { kind: 'array', target: [] });
    this.expecting = char === '{' ? 'keyOrClose' : 'itemOrClose';
  }

  private closer(char: string) {
    const kind = char === '}' ? 'object' : 'array';
    if (this.stack.at(-1)?.kind === kind) {
      if (!this.mayClose()) return this.fail('unparseable');
      this.at += 1;
      return this.close();
    }
    // A partner deeper down means a closer between is missing or wrong: nobody can know which.
    const stray = this.forgive.surplus && !this.stack.some((frame) => frame.kind === kind);
    const between = this.stack.length === 0 || this.expecting === 'next' || this.behindComma();
    if (!stray || !between) return this.fail('unparseable');
    this.at += 1;
  }

  private mayClose(): boolean {
    if (this.behindComma()) return this.forgive.trailingCommas;
    return this.expecting === 'next' || this.expecting === 'keyOrClose' || this.expecting === 'itemOrClose';
  }

  private behindComma(): boolean {
    return this.expecting === 'key' || this.expecting === 'item';
  }

  private close() {
    const frame = this.stack.pop();
    if (frame) this.store(frame.target);
  }

  private endOfText() {
    const cutInPair = this.expecting === 'colon' || (this.expecting === 'value' && this.stack.length > 0);
    if (cutInPair) return this.fail('missing_value');
    if (this.stack.length === 0 || !this.forgive.close || !this.mayClose()) return this.fail('unparseable');
    this.synthesized = true;
    while (this.stack.length > 0) this.close();
  }

  private store(value: JsonValue) {
    const frame = this.stack.at(-1);
    this.expecting = frame ? 'next' : 'end';
    if (!frame) this.root = value;
    else if (frame.kind === 'array') frame.target.push(value);
    else if (frame.key === '__proto__') {
      // Assignment would set the prototype instead of a property.
      Object.defineProperty(frame.target, frame.key, { value, writable: true, enumerable: true, configurable: true });
    } else frame.target[frame.key] = value;
  }

  private string(): string | null {
    const { text } = this;
    const start = this.at;
    const end = endOfString(text, start);
    if (end === null) return this.failAt('unterminated_string', start);
    this.at = end + 1;
    const inner = text.slice(start + 1, end);
    if (!inner.includes('\\') && (this.forgive.controls || !hasControls(inner))) return inner;
    return parsedString(text.slice(start, end + 1)) ?? this.decode(start + 1, end);
  }

  /** Character by character, for what only forgiveness can read. */
  private decode(start: number, end: number): string | null {
    let read = '';
    let from = start;
    for (let at = start; at < end; at += 1) {
      const code = this.text.charCodeAt(at);
      if (code < 32 && !this.forgive.controls) return this.failAt('unparseable', at);
      if (code !== 92) continue;
      const escaped = this.escape(at + 1);
      if (escaped === null) return this.failAt('unparseable', at);
      read += this.text.slice(from, at) + escaped;
      at += this.text.charCodeAt(at + 1) === 117 ? 5 : 1;
      from = at + 1;
    }
    return read + this.text.slice(from, end);
  }

  private escape(at: number): string | null {
    const code = this.text.charCodeAt(at);
    if (code === 117) {
      const hex = this.text.slice(at + 1, at + 5);
      return /^[0-9a-fA-F]{4}$/.test(hex) ? String.fromCharCode(Number.parseInt(hex, 16)) : null;
    }
    const plain = escapes.get(code);
    if (plain !== undefined) return plain;
    return this.forgive.controls && (code === 39 || code < 32) ? String.fromCharCode(code) : null;
  }

  private number() {
    numberPattern.lastIndex = this.at;
    const digits = numberPattern.exec(this.text)?.[0];
    if (digits === undefined) return this.fail('unparseable');
    this.at += digits.length;
    this.store(exactNumber(digits));
  }

  private fail(reason: ReadReason) {
    this.failure = { reason, position: this.at };
  }

  private failAt(reason: ReadReason, position: number): null {
    this.failure = { reason, position };
    return null;
  }
}

/** Index of the quote that ends the string begun at `start`: one behind an even run of backslashes. */
export function endOfString(text: string, start: number): number | null {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === 92) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return null;
}

function hasControls(text: string): boolean {
  // The class is wider than what JSON forbids, but its test runs natively over long strings.
  return /\p{Cc}/u.test(text) && [...text].some((char) => char < ' ');
}

/** The engine's own reader for one quoted string; null where it is not strictly JSON. */
function parsedString(quoted: string): string | null {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}

/** A number a double cannot hold keeps its digits as text: rounding it would silently name another thing. */
function exactNumber(digits: string): number | string {
  const value = Number(digits);
  if (!Number.isFinite(value)) return digits;
  if (digits.length < 16 || /[.eE]/.test(digits)) return value;
  return String(value) === digits || BigInt(digits) === BigInt(value) ? value : digits;
}
