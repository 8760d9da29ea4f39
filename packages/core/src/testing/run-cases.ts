import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readRows } from './read-cases.ts';

/** One row of a vector file. Everything beside `id` and `note` is the set's own. */
export type CaseRow = { id: string; note?: string };

/** A JSON array, or one JSON object a line. */
export function readCases<Row extends CaseRow>(file: URL): Row[] {
  return readRows(fileURLToPath(file));
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
