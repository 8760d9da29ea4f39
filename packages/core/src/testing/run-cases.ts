import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** One row of a vector file. Everything beside `id` and `note` is the set's own. */
export type CaseRow = { id: string; note?: string };

/** A JSON array, or one JSON object a line. */
export function readCases<Row extends CaseRow>(file: URL): Row[] {
  const text = readFileSync(file, 'utf8');
  if (file.pathname.endsWith('.jsonl'))
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): Row => JSON.parse(line));
  return JSON.parse(text);
}

/** Runs a table of `{ id, given, expected, note }`; the outcome must contain what is expected. */
export function runCases<Given, Outcome>(file: URL, act: (given: Given) => Outcome | Promise<Outcome>): void {
  const name = file.pathname.split('/').at(-1) ?? 'cases';
  describe(name, () => {
    for (const row of readCases<CaseRow & { given: Given; expected: unknown }>(file)) {
      it(row.note === undefined ? row.id : `${row.id}: ${row.note}`, async () => {
        const outcome = await act(row.given);
        if (typeof row.expected === 'object' && row.expected !== null && !Array.isArray(row.expected))
          expect(outcome).toMatchObject(row.expected);
        else expect(outcome).toEqual(row.expected);
      });
    }
  });
}

/** The text that a list of `{ text, repeat }` stands for. */
export function spell(parts: readonly { text: string; repeat: number }[] = []): string {
  return parts.map((part) => part.text.repeat(part.repeat)).join('');
}
