import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { followOutput, keep } from '../../test/scores/score-outputs.ts';
import { ToolError } from '../errors.ts';
import { fakeEnvelopes } from '../testing/index.ts';
import { readJsonPath } from './read-json-path.ts';
import { retrieveOutput } from './retrieve-output.ts';

const runs = { numRuns: 1_000 };
/** A thousand worlds take their time where other suites run beside this one. */
vi.setConfig({ testTimeout: 120_000 });

const unitArb = fc.oneof(
  fc.constantFrom('a', 'é', '漢', '😀', '\n', 'line of words\n', 'x'.repeat(997)),
  fc.string({ unit: fc.constantFrom('b', 'ß', '語', '👍', ' ', '{', '"'), maxLength: 12 }),
);
const textArb = fc
  .tuple(fc.array(unitArb, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 6_000 }))
  .map(([units, times]) => units.join('').repeat(times).slice(0, 90_000).toWellFormed())
  .filter((text) => text !== '');

test('following each next step brings every byte from the cut on exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(textArb, fc.nat(), async (text, at) => {
      const bytes = Buffer.from(text);
      // Cuts fall between characters.
      let cut = at % bytes.length;
      while (cut > 0 && ((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
      const envelopes = fakeEnvelopes();
      const ref = await keep(text, envelopes, cut);
      const read = await followOutput(ref, envelopes);
      const want = bytes.subarray(cut).toString();
      // Pages of lines end each line; whether the last one was ended is the only thing they cannot tell.
      expect(read === want || read === `${want}\n`).toBe(true);
    }),
    runs,
  );
});

test('a word is found wherever it stands in a line of any length, and its byte leads to it', async () => {
  const fillArb = fc.constantFrom('z', 'é', '漢字', 'z y ');
  await fc.assert(
    fc.asyncProperty(
      fillArb,
      fc.integer({ min: 0, max: 150_000 }),
      fc.integer({ min: 0, max: 150_000 }),
      async (fill, before, after) => {
        const head = fill.repeat(Math.ceil(before / fill.length));
        const text = `${head}NEEDLE${fill.repeat(Math.ceil(after / fill.length))}`;
        const envelopes = fakeEnvelopes();
        const ref = await keep(text, envelopes);
        const found = await retrieveOutput({ ref, mode: 'search', pattern: 'NEEDLE' }, envelopes);
        expect(found.data).toMatchObject({ matches: 1 });
        expect(found.content).toContain('NEEDLE');
        const named = /^1@(\d+):/.exec(found.content)?.[1];
        if (named === undefined) {
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
          return;
        }
        expect(Number(named)).toBe(Buffer.byteLength(head));
        const there = await retrieveOutput({ ref, mode: 'bytes', offset: Number(named) }, envelopes);
        expect(there.content.startsWith('NEEDLE')).toBe(true);
      },
    ),
    runs,
  );
});

test('a range of a stored list is what a slice of it is, and its count is its length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 30 }), fc.nat(40), fc.nat(40), async (list, from, to) => {
      const plain = JSON.parse(JSON.stringify(list));
      expect(readJsonPath({ plain }, `$.plain[${from}:${to}]`)).toEqual(plain.slice(from, to));
      expect(readJsonPath({ plain }, `$.plain[${from}:].length()`)).toBe(plain.slice(from).length);
    }),
    runs,
  );
});

describe('retrieveOutput', () => {
  test('security 39: a pattern that could take for ever is refused, and others end on any text', async () => {
    const envelopes = fakeEnvelopes();
    const ref = await keep('a'.repeat(1_000_000), envelopes);
    for (const pattern of ['(a+)+$', '(a|a)*b', '(?:a|aa)+$', '(.)\\1+b', 'a*a*a*a*b'])
      await expect(retrieveOutput({ ref, mode: 'search', pattern }, envelopes)).rejects.toThrow(ToolError);
    const startedAt = performance.now();
    let longest = 0;
    let last = startedAt;
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    expect((await retrieveOutput({ ref, mode: 'search', pattern: 'a+b' }, envelopes)).content).toContain(
      'No line matches',
    );
    clearInterval(beat);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    // Nobody else waits long meanwhile.
    expect(longest).toBeLessThan(1_000);
  });

  test('security 99: guessed, path-like and overflowing requests answer alike or name the size', async () => {
    const envelopes = fakeEnvelopes();
    const ref = await keep('1\n2\n3\n', envelopes);
    const say = (bad: string) =>
      retrieveOutput({ ref: bad }, envelopes).catch((error: ToolError) =>
        error.message.replace(JSON.stringify(bad), '…'),
      );
    const answers = await Promise.all(['out_1', '../../etc/passwd', `${ref}/../x`, '__proto__', ''].map(say));
    expect(new Set(answers)).toEqual(new Set(['No stored output of this session has the ref ….']));
    for (const request of [{ offset: 2 ** 40, mode: 'bytes' as const }, { startLine: 2 ** 31 }])
      expect((await retrieveOutput({ ref, ...request }, envelopes)).content).toContain('6 bytes');
  });

  test('security 100: an output that is removed between two pages says so instead of ending', async () => {
    const envelopes = fakeEnvelopes();
    const ref = await keep('line\n'.repeat(60_000), envelopes);
    const read = envelopes.read;
    envelopes.read = async (...range) => {
      envelopes.removed.set(ref, {
        why: 'evicted',
        at: 0,
        keptDays: 7,
        tool: 'run_command',
        callId: 'c1',
        title: null,
      });
      envelopes.ready.delete(ref);
      return read(...range);
    };
    await expect(retrieveOutput({ ref, mode: 'tail' }, envelopes)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('newer outputs needed the room'),
      next: expect.stringContaining('run_command call (c1) again'),
    });
  });

  test('a summary without a model shows size, ends and the lines that stand out', async () => {
    const envelopes = fakeEnvelopes();
    const ref = await keep(`${'fine\n'.repeat(20_000)}error: it broke\n${'fine\n'.repeat(20_000)}`, envelopes);
    const { content } = await retrieveOutput({ ref, mode: 'summary' }, envelopes);
    expect(content).toContain('40001 lines');
    expect(content).toContain('lines that stand out:\nerror: it broke');
    const summarize = async () => ({ kind: 'summary', label: '[summary]', text: 'It broke.' }) as const;
    const told = await retrieveOutput({ ref, mode: 'summary' }, envelopes, { summarize });
    expect(told.content).toBe('[summary]\nIt broke.');
  });

  test('parts of a stored value are named by path, range and count, and a long one is cut with a word about it', async () => {
    const envelopes = fakeEnvelopes();
    const ref = await keep(JSON.stringify({ rows: Array.from({ length: 9_000 }, (_, id) => ({ id })) }), envelopes);
    const json = async (path: string) => retrieveOutput({ ref, mode: 'json', path }, envelopes);
    expect((await json('$.rows.length()')).content).toBe('9000');
    expect((await json('$.keys()')).content).toBe('[\n "rows"\n]');
    expect((await json('$.rows[-1].id')).content).toBe('8999');
    expect(JSON.parse((await json('$.rows[10:12]')).content)).toEqual([{ id: 10 }, { id: 11 }]);
    const all = await json('$.rows');
    expect(all.content.length).toBeLessThanOrEqual(24_000);
    expect(all.footer).toMatch(/^the first \d+ of \d+ bytes; name less, such as \$\.rows\[0:20\]/);
  });
});
