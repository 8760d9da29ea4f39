import { describe, expect, it } from 'vitest';
import { ToolError } from '../errors.ts';
import { fakeEnvelopes, fakeRandom, fakeSecrets, readCases, spell } from '../testing/index.ts';
import { commandCut, generalCut } from './cut-output.ts';
import { envelopeOutput } from './envelope-output.ts';
import { readOutput, renderResult } from './render-result.ts';
import { retrieveOutput } from './retrieve-output.ts';
import { wrapExternal } from './wrap-external.ts';

type Text = { text: string; repeat: number }[];
type Given = {
  output?: Text;
  untrusted?: boolean;
  status?: string;
  polls?: number;
  store?: string;
  value?: string;
  retrieve?: { ref: string; of?: Text; startLine?: number; follow?: boolean };
  stored?: unknown;
  ids?: number;
};
type Row = { id: string; tool: string; given: Given; check: Record<string, unknown> };
type Seen = {
  text: string;
  pointer: boolean;
  truncated: boolean;
  success: boolean;
  refused: boolean;
  problems: string[];
  took: number;
  spilled: boolean;
};

async function show(row: Row): Promise<Seen> {
  const { given } = row;
  const store = fakeEnvelopes();
  store.failing = given.store === 'fails';
  const problems: string[] = [];
  const seen: Seen = {
    text: '',
    pointer: false,
    truncated: false,
    success: true,
    refused: false,
    problems,
    took: 0,
    spilled: false,
  };
  if (given.output || given.value) {
    const text = given.value === 'circular' ? readOutput(circular()).content : spell(given.output);
    const bytes = Buffer.from(text);
    for (let poll = 0; poll < (given.polls ?? 1); poll += 1) {
      const started = process.cpuUsage();
      const output = await envelopeOutput(
        {
          header: '',
          streams: [
            {
              name: 'stdout',
              bytes: bytes.length,
              read: async function* () {
                yield bytes;
              },
            },
          ],
          rule: row.tool === 'shell' ? commandCut : generalCut,
          spill: given.status !== 'running',
          clean: row.tool === 'shell',
          meta: { callId: 'c1', tool: row.tool, origin: 'example.com', untrusted: given.untrusted ?? false },
        },
        { envelopes: store, secrets: fakeSecrets(), report: (problem) => problems.push(problem.message) },
      );
      const wrapped = given.untrusted ? wrapExternal(output.text, 'example.com', fakeRandom()) : output.text;
      seen.text = renderResult(wrapped, [output.pointer]);
      const used = process.cpuUsage(started);
      // Work, not waiting: other processes must not fail this test.
      seen.took = (used.user + used.system) / 1_000;
      seen.truncated = output.truncated;
      seen.pointer = output.pointer !== null;
    }
  }
  seen.spilled = store.ready.size > 0;
  if (given.retrieve) Object.assign(seen, await retrieve(given.retrieve, store));
  return seen;
}

async function retrieve(
  request: NonNullable<Given['retrieve']>,
  store: ReturnType<typeof fakeEnvelopes>,
): Promise<Partial<Seen>> {
  let { ref } = request;
  if (ref === 'own') {
    const writer = await store.open({
      callId: 'c0',
      tool: 'shell',
      origin: 'shell',
      untrusted: false,
      cutOffset: null,
    });
    await writer.write(Buffer.from(spell(request.of)));
    ref = (await writer.finish(null)).ref;
  }
  try {
    const output = await retrieveOutput({ ref, startLine: request.startLine }, store);
    return { text: output.content };
  } catch (error) {
    if (error instanceof ToolError) return { refused: true, text: error.message };
    throw error;
  }
}

function circular(): unknown {
  const value: Record<string, unknown> = { name: 'loop' };
  value.self = value;
  return value;
}

const rows = readCases<Row>(new URL('../../../../cases/output-envelope/cases.jsonl', import.meta.url));

describe('cases/output-envelope', () => {
  // Retention and ids belong to the store behind the port: its own suite runs those rows.
  for (const row of rows.filter(({ given }) => !given.stored && !given.ids)) {
    it(row.id, async () => {
      const seen = await show(row);
      const { check } = row;
      if ('cut' in check) expect(seen.truncated).toBe(check.cut);
      if ('ref' in check) expect(seen.pointer).toBe(check.ref);
      if ('spilled' in check) expect(seen.spilled).toBe(check.spilled);
      if ('refused' in check) expect(seen.refused).toBe(check.refused);
      if ('success' in check) expect(seen.success).toBe(check.success);
      if ('warned' in check) expect(seen.problems.length > 0).toBe(check.warned);
      if ('nonEmpty' in check) expect(seen.text.trim()).not.toBe('');
      if ('validUtf8' in check) expect(seen.text.isWellFormed()).toBe(true);
      if ('maxMillis' in check) expect(seen.took).toBeLessThan(Number(check.maxMillis) * 3);
      if ('wrapped' in check)
        expect(
          /^<external_content source="[^"]*" nonce="(\w+)">\n[\s\S]*<\/external_content nonce="\1">$/.test(seen.text),
        ).toBe(check.wrapped);
      if (check.wrapped) expect(seen.text.match(/<\s*\/?external/g)).toHaveLength(2);
      for (const text of [check.contains ?? []].flat()) expect(seen.text).toContain(text);
      for (const text of [check.notContains ?? []].flat()) expect(seen.text).not.toContain(text);
      if (check.containsAny)
        expect([check.containsAny].flat().some((text) => seen.text.includes(String(text)))).toBe(true);
    });
  }
});

describe('retrieveOutput', () => {
  const store = async (text: string, cutOffset: number | null) => {
    const envelopes = fakeEnvelopes();
    const writer = await envelopes.open({
      callId: 'c0',
      tool: 'shell',
      origin: 'shell',
      untrusted: false,
      cutOffset: null,
    });
    await writer.write(Buffer.from(text));
    return { envelopes, ref: (await writer.finish(cutOffset)).ref };
  };
  /** Takes each next step until none is named. */
  const follow = async (text: string, cutOffset: number | null) => {
    const { envelopes, ref } = await store(text, cutOffset);
    let request: Parameters<typeof retrieveOutput>[0] | null = { ref };
    let read = '';
    for (let page = 0; request && page < 1_000; page += 1) {
      const output = await retrieveOutput(request, envelopes);
      const mode = (output.data as { mode: string }).mode;
      read +=
        mode === 'lines'
          ? output.content
              .split('\n')
              .map((line) => `${line.replace(/^\d+\t/, '')}\n`)
              .join('')
          : output.content;
      const next = /^next: retrieve_tool_result (.*)$/.exec(output.footer ?? '');
      const step: { mode: 'lines' | 'bytes'; start_line?: number; offset?: number } | null = next
        ? JSON.parse(next[1] ?? '')
        : null;
      request = step ? { ref, mode: step.mode, startLine: step.start_line, offset: step.offset } : null;
    }
    return read;
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
    expect((await retrieveOutput({ ref, mode: 'info' }, envelopes)).content).toContain('20000 lines');
  });
});
