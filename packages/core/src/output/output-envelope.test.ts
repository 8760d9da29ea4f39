import { describe, expect, it } from 'vitest';
import { followOutput, isOfHost, keep, type OwnOutput, scoreOutput } from '../../test/scores/score-outputs.ts';
import { fakeEnvelopes } from '../testing/index.ts';
import { ownCases } from '../testing/read-cases.ts';
import { retrieveOutput } from './retrieve-output.ts';

describe('cases/output-envelope', () => {
  // Retention and refs belong to the store behind the port: a host runs those rows.
  const host = { drawRefs: () => [], sweep: null };
  const rows = ownCases<OwnOutput>('output-envelope/cases.jsonl').filter((row) => !isOfHost(row));
  it.each(rows)('$id', async (row) => {
    expect((await scoreOutput(row, host)).failure).toBeNull();
  });
});

describe('retrieveOutput', () => {
  const store = async (text: string, cutOffset: number | null) => {
    const envelopes = fakeEnvelopes();
    return { envelopes, ref: await keep(text, envelopes, cutOffset) };
  };
  const follow = async (text: string, cutOffset: number | null) => {
    const { envelopes, ref } = await store(text, cutOffset);
    return followOutput(ref, envelopes);
  };

  it('brings back every byte exactly once', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index + 1} é\n`).join('');
    expect(await follow(lines, null)).toBe(lines);
    const long = `start\n${'漢'.repeat(50_000)}\nend\n`;
    expect(await follow(long, null)).toBe(long);
    expect(await follow('z'.repeat(400_000), 22_000)).toBe('z'.repeat(378_000));
  });

  it('reads single lines and finds words', async () => {
    const { envelopes, ref } = await store(
      Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join(''),
      22_000,
    );
    expect((await retrieveOutput({ ref, mode: 'lines', startLine: 10_000, maxLines: 1 }, envelopes)).content).toBe(
      '10000\t10000',
    );
    expect((await retrieveOutput({ ref, mode: 'search', pattern: '^777$', context: 1 }, envelopes)).content).toBe(
      '776-776\n777:777\n778-778',
    );
    expect((await retrieveOutput({ ref, mode: 'tail', maxLines: 2 }, envelopes)).content).toBe('19999\n20000');
    expect((await retrieveOutput({ ref, mode: 'info' }, envelopes)).content).toContain(' · 20000 lines · ');
  });
});
