import { escapeJson } from './reveal-text.ts';

/** `brief` marks what is no text: numbers, yes and no, empty lists. */
export type SubjectRow = { name: string; value: string; brief: boolean };
export type Subject = { rows: SubjectRow[]; circumstances: SubjectRow[] };

/**
 * The request as rows, read out of the canonical bytes themselves and never from a copy beside them: what is shown is
 * what is hashed. Null where the bytes are no such document; then only the bytes are shown.
 */
export function readSubject(canonicalText: string): Subject | null {
  const document = parse(canonicalText);
  if (!isObject(document) || !isObject(document.input)) return null;
  const { cwd, env, hosts, preconditions, imageDigest } = document;
  return {
    rows: Object.entries(document.input).map(([name, value]) => ({ name, value: show(value), brief: isBrief(value) })),
    circumstances: [
      ...(typeof cwd === 'string' ? [{ name: 'cwd', value: cwd === '' ? '.' : cwd, brief: false }] : []),
      ...listRow('files', preconditions, (one) => (isObject(one) ? `${text(one.path)} ${bound(one.sha256)}` : '')),
      ...listRow('hosts', hosts, text),
      ...listRow('env', env, (one) => (isObject(one) ? text(one.name) : '')),
      ...(typeof imageDigest === 'string' && imageDigest !== ''
        ? [{ name: 'image', value: imageDigest, brief: false }]
        : []),
    ],
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const isBrief = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : typeof value !== 'string' && !isObject(value);
const bound = (hash: unknown): string =>
  typeof hash === 'string' ? `sha256 ${hash.slice(0, 12)}…` : '(must not exist)';

function listRow(name: string, list: unknown, line: (one: unknown) => string): SubjectRow[] {
  if (!Array.isArray(list) || list.length === 0) return [];
  return [{ name, value: list.map((one) => line(one)).join('\n'), brief: false }];
}

/** The input inside the bytes as indented JSON, for the editor. */
export function readInput(canonicalText: string): string {
  const document = parse(canonicalText);
  return isObject(document) && isObject(document.input) ? escapeJson(JSON.stringify(document.input, null, 2)) : '{}';
}
