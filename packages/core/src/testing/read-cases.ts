import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Rows of one of our own vector files, `cases/<subject>/<file>`; JSON arrays and JSON Lines alike. */
export function ownCases<Row>(file: string): Row[] {
  return readRows(resolve(root, 'cases', file));
}

/**
 * Rows of a third-party file, which stays outside the repository: the folder `ONESLOT_CASES`, by default
 * `../shared/cases` beside it. Null, and said by name, where it is absent.
 */
export function sharedCases<Row>(file: string): Row[] | null {
  const path = sharedPath(file);
  if (existsSync(path)) return readRows(path);
  process.stdout.write(`skipped: ${file} (no such file under ONESLOT_CASES)\n`);
  return null;
}

export function sharedPath(file: string): string {
  return resolve(root, process.env.ONESLOT_CASES ?? '../shared/cases', file);
}

/** A JSON array, or one JSON object a line. */
export function readRows<Row>(path: string): Row[] {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.jsonl'))
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): Row => JSON.parse(line));
  return JSON.parse(text);
}

/** The text that a list of `{ text, repeat }` stands for. */
export function spell(parts: readonly { text: string; repeat: number }[] = []): string {
  return parts.map((part) => part.text.repeat(part.repeat)).join('');
}
