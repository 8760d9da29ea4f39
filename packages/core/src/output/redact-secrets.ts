import type { SecretsPort } from '../contract/ports.ts';

/** Feed text in any chunking; what is held back until its end is known comes later or with `finish`. */
export type Redactor = { push(chunk: string): string; finish(): string };

type Masks = {
  /** Built only for text that holds a hint: most texts hold none. */
  pattern(): RegExp;
  mayHold(text: string): boolean;
  nameOf(found: string): string;
  hold: number;
};

/** Values shorter than this cannot be told from ordinary text, and a mask would tell more than it hides. */
const shortestSecret = 4;
/** A key block without an end is dropped up to here; no private key is longer. */
const longestBlock = 64 * 1024;

/** Source: the token formats the issuing services document. `hint` is a literal every match contains. */
const keyShapes: readonly { name: string; hint: string; pattern: string }[] = [
  { name: 'aws-access-key', hint: 'AKIA', pattern: 'AKIA[0-9A-Z]{16}' },
  { name: 'aws-access-key', hint: 'ASIA', pattern: 'ASIA[0-9A-Z]{16}' },
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((hint) => ({
    name: 'github-token',
    hint,
    pattern: `${hint}[A-Za-z0-9]{20,255}`,
  })),
  { name: 'github-token', hint: 'github_pat_', pattern: 'github_pat_[A-Za-z0-9_]{22,255}' },
  { name: 'gitlab-token', hint: 'glpat-', pattern: 'glpat-[A-Za-z0-9_-]{20,255}' },
  { name: 'slack-token', hint: 'xox', pattern: 'xox[abeoprs]-[A-Za-z0-9-]{10,255}' },
  { name: 'google-key', hint: 'AIza', pattern: 'AIza[0-9A-Za-z_-]{35}' },
  { name: 'npm-token', hint: 'npm_', pattern: 'npm_[A-Za-z0-9]{36}' },
  { name: 'model-key', hint: 'sk-', pattern: 'sk-(?:proj-|svcacct-|ant-[a-z0-9]+-)?[A-Za-z0-9_-]{32,255}' },
  {
    name: 'private-key',
    hint: '-----BEGIN ',
    pattern:
      '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\\s\\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)',
  },
];

/** What every key shape contains: one quick look spares most texts the slow one. */
const shapeHints = new RegExp(keyShapes.map((shape) => shape.hint).join('|'));

/** Secret values to `[secret:NAME]`, before anything is stored or cut. */
export function redactSecrets(text: string, secrets: SecretsPort): string {
  return mask(
    text,
    masksOf(secrets, (value) => value),
  );
}

/** The same through a whole JSON value, keys included. */
export function redactValue(value: unknown, secrets: SecretsPort): unknown {
  const masks = masksOf(secrets, (one) => one);
  const walk = (one: unknown): unknown => {
    if (typeof one === 'string') return mask(one, masks);
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== 'object' || one === null || Object.getPrototypeOf(one) !== Object.prototype) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [mask(key, masks), walk(inner)]));
  };
  return walk(value);
}

/** For bytes as latin1 text, so that the bytes beside a secret come through unchanged. */
export function createRedactor(secrets: SecretsPort): Redactor {
  const masks = masksOf(secrets, (value) => Buffer.from(value, 'utf8').toString('latin1'));
  let held = '';
  let insideBlock = false;
  return {
    push(chunk) {
      held = insideBlock ? afterBlock(chunk) : held + chunk;
      const until = Math.max(0, held.length - masks.hold);
      return release(until);
    },
    finish() {
      const rest = held;
      held = '';
      return mask(rest, masks);
    },
  };

  function release(until: number): string {
    if (!masks.mayHold(held)) return take(until, held.slice(0, until));
    let out = '';
    let at = 0;
    for (const found of held.matchAll(masks.pattern())) {
      const end = found.index + found[0].length;
      if (found.index >= until) break;
      if (end === held.length && held.length - found.index < longestBlock)
        return take(found.index, out + held.slice(at, found.index));
      insideBlock = end === held.length;
      out += `${held.slice(at, found.index)}[secret:${masks.nameOf(found[0])}]`;
      at = end;
    }
    const last = Math.max(at, until);
    return take(last, out + held.slice(at, last));
  }

  function take(until: number, text: string): string {
    held = held.slice(until);
    return text;
  }

  /** The end mark may be split between chunks; a key that long is no key, so the rest of its line is dropped with it. */
  function afterBlock(chunk: string): string {
    const end = /-----END [^\n]*|\n\s*\n/.exec(chunk);
    if (!end) return '';
    insideBlock = false;
    return chunk.slice(end.index + end[0].length);
  }
}

function mask(text: string, masks: Masks): string {
  if (!masks.mayHold(text)) return text;
  return text.replace(masks.pattern(), (found) => `[secret:${masks.nameOf(found)}]`);
}

function masksOf(secrets: SecretsPort, encode: (value: string) => string): Masks {
  const names = new Map<string, string>();
  for (const { name, value } of secrets.values()) {
    if (value.trim().length < shortestSecret) continue;
    for (const form of formsOf(value)) if (!names.has(encode(form))) names.set(encode(form), name);
  }
  const literals = [...names.keys()].sort((a, b) => b.length - a.length);
  const shapes = keyShapes.map((shape) => shape.pattern);
  return {
    pattern: () => new RegExp([...literals.map(escapeRegExp), ...shapes].join('|'), 'g'),
    mayHold: (text) => shapeHints.test(text) || literals.some((literal) => text.includes(literal)),
    nameOf: (found) => names.get(found) ?? keyShapes.find((shape) => found.startsWith(shape.hint))?.name ?? 'key',
    hold: Math.max(512, (literals[0]?.length ?? 0) * 2),
  };
}

/** A value as it stands, and as it looks inside JSON, a URL or base64. */
function formsOf(value: string): string[] {
  const wellFormed = value.toWellFormed();
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(wellFormed),
    Buffer.from(value, 'utf8').toString('base64').replace(/=+$/, ''),
  ];
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
