import type { OutputStream } from '../../src/contract/tool-call.ts';
import { ToolError } from '../../src/errors.ts';
import { commandCut, generalCut } from '../../src/output/cut-output.ts';
import { envelopeOutput } from '../../src/output/envelope-output.ts';
import { readOutput, renderResult } from '../../src/output/render-result.ts';
import { type RetrieveRequest, retrieveOutput } from '../../src/output/retrieve-output.ts';
import { wrapExternal } from '../../src/output/wrap-external.ts';
import { type FakeEnvelopes, fakeEnvelopes } from '../../src/testing/fake-envelopes.ts';
import { fakeRandom, fakeSecrets } from '../../src/testing/fake-ports.ts';
import { spell } from '../../src/testing/read-cases.ts';
import { brief, quickest, type RowScore, sameJson, score, unless } from './score.ts';

type Text = { text: string; repeat: number }[];
export type StoredOutput = { ageDays: number; foreign?: boolean };
type Given = {
  output?: Text;
  untrusted?: boolean;
  status?: string;
  polls?: number;
  store?: string;
  value?: string;
  retrieve?: { ref: string; of?: Text; startLine?: number; follow?: boolean };
  stored?: StoredOutput[];
  retentionDays?: number;
  ids?: number;
};
type Check = Partial<{
  cut: boolean;
  headBytes: number;
  tailBytes: number;
  omittedBytes: number;
  ref: boolean;
  spilled: boolean;
  validUtf8: boolean;
  contains: string | string[];
  containsAny: string | string[];
  notContains: string | string[];
  maxMillis: number;
  refused: boolean;
  wrapped: boolean;
  nonEmpty: boolean;
  success: boolean;
  warned: boolean;
  complete: boolean;
  distinct: boolean;
  removed: number[];
  kept: number[];
  logNotContains: string | string[];
}>;
export type OwnOutput = { id: string; tool: string; given: Given; check: Check };

/** What only a host can show: how refs are drawn, and which stored outputs its retention removes. */
export type OutputHost = {
  drawRefs(count: number): string[];
  /** Indices that a sweep removed; null where the host has none. */
  sweep: ((stored: readonly StoredOutput[], retentionDays: number) => Promise<number[]>) | null;
};

type Seen = {
  text: string;
  sizes: { head: number; tail: number; omitted: number } | null;
  pointer: boolean;
  truncated: boolean;
  refused: boolean;
  complete: boolean;
  problems: string[];
  spilled: boolean;
};

export async function scoreOutput(row: OwnOutput, host: OutputHost): Promise<RowScore> {
  const { check } = row;
  if (isOfHost(row)) return scoreStored(row, host);
  const seen = await show(row);
  const { maxMillis } = check;
  const ms = maxMillis === undefined ? 0 : await quickest(maxMillis, () => show(row));
  const slow = unless(ms <= (maxMillis ?? 0), `took ${ms.toFixed(0)} ms`);
  return score(row.id, [...failuresOf(check, seen), ...slow]);
}

/** What only the store behind the port can show. */
export const isOfHost = ({ given }: OwnOutput): boolean => given.ids !== undefined || given.stored !== undefined;

async function scoreStored({ id, given, check }: OwnOutput, host: OutputHost): Promise<RowScore> {
  if (given.ids !== undefined) {
    const refs = host.drawRefs(given.ids);
    return score(id, unless((new Set(refs).size === given.ids) === (check.distinct ?? true), 'refs collide'));
  }
  if (!host.sweep) return score(id, ['nothing removes stored outputs']);
  const stored = given.stored ?? [];
  const removed = await host.sweep(stored, given.retentionDays ?? 7);
  const kept = stored.flatMap((_, index) => (removed.includes(index) ? [] : [index]));
  return score(id, [
    ...unless(!check.removed || sameJson(removed, check.removed), `removed ${brief(removed)}`),
    ...unless(!check.kept || sameJson(kept, check.kept), `kept ${brief(kept)}`),
  ]);
}

function failuresOf(check: Check, seen: Seen): string[] {
  const { text, sizes } = seen;
  const same = (name: string, want: unknown, got: unknown) =>
    unless(want === undefined || want === got, `${name} is ${brief(got)}`);
  const list = (words: string | string[] | undefined) => [words ?? []].flat();
  return [
    ...same('cut', check.cut, seen.truncated),
    ...same('headBytes', check.headBytes, sizes?.head),
    ...same('tailBytes', check.tailBytes, sizes?.tail),
    ...same('omittedBytes', check.omittedBytes, sizes?.omitted),
    ...same('ref', check.ref, seen.pointer),
    ...same('spilled', check.spilled, seen.spilled),
    ...same('refused', check.refused, seen.refused),
    ...same('success', check.success, !seen.refused),
    ...same('warned', check.warned, seen.problems.length > 0),
    ...same('complete', check.complete, seen.complete),
    ...same('validUtf8', check.validUtf8, text.isWellFormed()),
    ...same('nonEmpty', check.nonEmpty, text.trim() !== ''),
    ...same('wrapped', check.wrapped, isWrapped(text)),
    ...list(check.contains).flatMap((word) => unless(text.includes(word), `lacks ${brief(word)}`)),
    ...list(check.notContains).flatMap((word) => unless(!text.includes(word), `holds ${brief(word)}`)),
    ...unless(!check.containsAny || list(check.containsAny).some((word) => text.includes(word)), `says ${brief(text)}`),
    ...list(check.logNotContains).flatMap((word) =>
      unless(!seen.problems.some((line) => line.includes(word)), `a log line holds ${brief(word)}`),
    ),
  ];
}

/** All of the text between one matching pair of external marks, no other mark inside. */
function isWrapped(text: string): boolean {
  const pair = /^<external_content source="[^"]*" nonce="(\w+)">\n[\s\S]*<\/external_content nonce="\1">$/;
  return pair.test(text) && text.match(/<\s*\/?external/g)?.length === 2;
}

async function show(row: OwnOutput): Promise<Seen> {
  const { given } = row;
  const store = fakeEnvelopes();
  store.failing = given.store === 'fails';
  const seen: Seen = {
    text: '',
    sizes: null,
    pointer: false,
    truncated: false,
    refused: false,
    complete: false,
    problems: [],
    spilled: false,
  };
  if (given.output || given.value) {
    const text = given.value === 'circular' ? readOutput(circular()).content : spell(given.output);
    for (let poll = 0; poll < (given.polls ?? 1); poll += 1) await settle(row, text, { store, seen });
  }
  seen.spilled = store.ready.size > 0;
  if (given.retrieve) Object.assign(seen, await retrieve(given.retrieve, store));
  return seen;
}

async function settle(row: OwnOutput, text: string, into: { store: FakeEnvelopes; seen: Seen }): Promise<void> {
  const { given } = row;
  const { store, seen } = into;
  const output = await envelopeOutput(
    {
      header: '',
      streams: [streamOf('stdout', text)],
      rule: row.tool === 'shell' ? commandCut : generalCut,
      spill: given.status !== 'running',
      clean: row.tool === 'shell',
      meta: { callId: 'c1', tool: row.tool, origin: 'example.com', untrusted: given.untrusted ?? false },
    },
    { envelopes: store, secrets: fakeSecrets(), report: ({ message }) => seen.problems.push(message) },
  );
  const wrapped = given.untrusted ? wrapExternal(output.text, 'example.com', fakeRandom()) : output.text;
  seen.text = renderResult(wrapped, [output.pointer]);
  seen.sizes = cutSizes(output.text);
  seen.truncated = output.truncated;
  seen.pointer = output.pointer !== null;
}

/** In pieces as an agent sends them; the odd size of the truncation vectors cuts characters in two. */
export function streamOf(name: OutputStream['name'], text: string, pieceBytes = 65_536): OutputStream {
  const bytes = Buffer.from(text);
  return {
    name,
    bytes: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
    },
  };
}

export const cutMarks =
  /^([\s\S]*?)\n\[\.\.\. (\d+) bytes cut away here \.\.\.\]\n(?:[\s\S]*\n\[\.\.\. end of kept lines \.\.\.\]\n)?([\s\S]*)$/;

export function cutSizes(text: string): Seen['sizes'] {
  const [, head, omitted, tail] = cutMarks.exec(text) ?? [];
  if (head === undefined || tail === undefined) return null;
  return { head: Buffer.byteLength(head), tail: Buffer.byteLength(tail), omitted: Number(omitted) };
}

async function retrieve(request: NonNullable<Given['retrieve']>, store: FakeEnvelopes): Promise<Partial<Seen>> {
  const text = spell(request.of);
  const ref = request.ref === 'own' ? await keep(text, store) : request.ref;
  try {
    const output = await retrieveOutput({ ref, startLine: request.startLine }, store);
    if (!request.follow) return { text: output.content };
    return { text: output.content, complete: (await followOutput(ref, store)) === text };
  } catch (error) {
    if (error instanceof ToolError) return { refused: true, text: error.message };
    throw error;
  }
}

/** Stores a text as a command's output and gives its ref. */
export async function keep(text: string, store: FakeEnvelopes, cutOffset: number | null = null): Promise<string> {
  const meta = { callId: 'c0', tool: 'shell', origin: 'shell', untrusted: false, cutOffset: null };
  const writer = await store.open(meta);
  await writer.write(Buffer.from(text));
  return (await writer.finish(cutOffset)).ref;
}

/** Takes each next step until none is named; the parts joined. */
export async function followOutput(ref: string, store: FakeEnvelopes): Promise<string> {
  let request: RetrieveRequest | null = { ref };
  let read = '';
  for (let page = 0; request && page < 1_000; page += 1) {
    const output = await retrieveOutput(request, store);
    const isLines = Object(output.data).mode === 'lines';
    const lines = () => output.content.split('\n').map((line) => `${line.replace(/^\d+\t/, '')}\n`);
    read += isLines ? lines().join('') : output.content;
    const next = /^next: retrieve_tool_result (.*)$/.exec(output.footer ?? '');
    const step: { mode: 'lines' | 'bytes'; start_line?: number; offset?: number } | null = next
      ? JSON.parse(next[1] ?? '')
      : null;
    request = step ? { ref, mode: step.mode, startLine: step.start_line, offset: step.offset } : null;
  }
  return read;
}

function circular(): unknown {
  const value: Record<string, unknown> = { name: 'loop' };
  value.self = value;
  return value;
}
