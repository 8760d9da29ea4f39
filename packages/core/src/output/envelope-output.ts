import type { EnvelopeMeta, EnvelopeStore, EnvelopeWriter, SecretsPort } from '../contract/ports.ts';
import type { OutputStream } from '../contract/tool-call.ts';
import { createCleaner } from './clean-output.ts';
import { type Cut, type CutRule, createOutputView, type OutputView, shareBudget } from './cut-output.ts';
import { binaryKind, sniffBytes } from './describe-binary.ts';
import { createRedactor } from './redact-secrets.ts';

export type EnvelopeDeps = {
  envelopes: EnvelopeStore;
  secrets: SecretsPort;
  report(problem: { message: string; cause: unknown }): void;
};

export type OutputToEnvelope = {
  /** Shown in front of the streams and never stored; already redacted. */
  header: string;
  streams: readonly OutputStream[];
  rule: CutRule;
  /** False while the work goes on: the view is cut all the same, nothing is stored. */
  spill: boolean;
  /** Stored however short it is, because something else is shown in its place. */
  keepWhole?: boolean;
  /** Terminal control goes; false for text that no program printed. */
  clean: boolean;
  meta: Omit<EnvelopeMeta, 'cutOffset'>;
};

/** `text` is what may be wrapped; `pointer` stands outside; `warning` says that the whole could not be stored. */
export type EnvelopedOutput = {
  text: string;
  pointer: string | null;
  ref: string | null;
  /** Of the stored bytes; null where nothing was stored. */
  sha256: string | null;
  truncated: boolean;
  warning: string | null;
};

/** Far above what a build prints, far below what a disk holds. Bytes behind it are shown as far as the view keeps them, but not stored. */
export const envelopeCap = 64 * 1024 * 1024;
/** Chunks are taken apart at this size, so that one long line costs no more than many short ones. */
const stepBytes = 64 * 1024;
const noteRoom = 160;

type Part = {
  stream: OutputStream;
  view: OutputView;
  binary: string | null;
  storedAt: number;
  storedBytes: number;
  /** Bytes that were gone before they could be read; null where reading failed and nobody knows. */
  lost: number | null;
};

/** One pass over the whole output: redacted, stored if it has to be cut, and cut. Holds a few limits' worth of bytes, never all. */
export async function envelopeOutput(output: OutputToEnvelope, deps: EnvelopeDeps): Promise<EnvelopedOutput> {
  const store = createSpill(output, deps);
  if (output.keepWhole) store.need();
  const parts: Part[] = [];
  for (const stream of output.streams) {
    const view = createOutputView(output.rule);
    const part: Part = { stream, view, binary: null, storedAt: 0, storedBytes: 0, lost: 0 };
    parts.push(part);
    await readSafely(part, parts.length > 1, { output, store, deps });
  }
  return finish(output, parts, store);
}

/** A sandbox that dies while it is read costs the rest of this output, and no other call. */
async function readSafely(
  part: Part,
  isNext: boolean,
  { output, store, deps }: { output: OutputToEnvelope; store: Spill; deps: EnvelopeDeps },
): Promise<void> {
  try {
    await readPart(part, isNext, output, store, deps.secrets);
    part.lost = part.stream.lostBytes?.() ?? 0;
  } catch (cause) {
    part.lost = null;
    deps.report({ message: `The output of ${output.meta.tool} could not be read to its end.`, cause });
  }
}

async function readPart(
  part: Part,
  isNext: boolean,
  output: OutputToEnvelope,
  store: Spill,
  secrets: SecretsPort,
): Promise<void> {
  const redactor = createRedactor(secrets);
  const cleaner = output.clean ? createCleaner() : null;
  let start = '';
  const take = async (text: string) => {
    if (text === '') return;
    if (part.storedBytes === 0 && isNext) await store.write(`\n--- ${part.stream.name} ---\n`);
    if (part.storedBytes === 0) part.storedAt = store.bytes();
    part.storedBytes += text.length;
    await store.write(text);
    if (start.length < sniffBytes && output.clean) {
      start += text.slice(0, sniffBytes - start.length);
      part.binary = binaryKind(start);
      if (part.binary !== null) store.need();
    }
    for (const piece of cleaner ? cleaner.push(text) : [{ rawBytes: text.length, shown: text }]) part.view.push(piece);
  };
  for await (const chunk of part.stream.read()) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at < bytes.length; at += stepBytes)
      await take(redactor.push(bytes.toString('latin1', at, at + stepBytes)));
  }
  await take(redactor.finish());
  for (const piece of cleaner?.finish() ?? []) part.view.push(piece);
}

async function finish(output: OutputToEnvelope, parts: readonly Part[], store: Spill): Promise<EnvelopedOutput> {
  const { rule } = output;
  const texts = parts.filter((part) => part.binary === null);
  const header = Buffer.from(output.header, 'utf8').toString('latin1');
  // A long header eats into the budget, a usual one into the allowance for notes.
  const budget = rule.limit - Math.max(0, header.length - 1_000);
  const shares = shareBudget(
    texts.map((part) => part.view.shownBytes()),
    budget,
  );
  const cuts = texts.map((part, index) => part.view.cut(shares[index] ?? 0));
  const firstCut = cuts.findIndex((cut) => cut.cutOffset !== null);
  const binary = parts.find((part) => part.binary !== null);
  const lost = parts.some((part) => part.lost !== 0);
  const isCut = firstCut !== -1 || binary !== undefined || lost;
  const wanted = (isCut || output.keepWhole === true) && !lost;
  const saved = await store.finish(wanted, output.keepWhole ? 0 : cutOffsetOf(parts, texts, cuts));
  const noteCount = cuts.filter((cut) => cut.cutOffset !== null).length;
  let room = rule.extra - Math.min(header.length, 1_000) - noteRoom * (noteCount + 1) - parts.length * 40;
  const bodies = parts.map((part) => {
    const cut = cuts[texts.indexOf(part)];
    if (part.binary !== null || !cut)
      return `[${part.stream.name}: ${part.view.rawBytes()} bytes of ${part.binary ?? 'data'}, not shown]`;
    const rescued = cut.rescued(Math.max(0, room));
    room -= rescued.reduce((sum, line) => sum + line.length + 1, 0);
    return joinCut(cut.head, cut.tail, cut.omittedBytes, rescued);
  });
  return {
    text: toText(joinParts(header, parts, bodies)),
    pointer: saved.ref === null ? null : `Full output saved; call retrieve_tool_result ref=${saved.ref} to view it.`,
    ref: saved.ref,
    sha256: saved.sha256,
    truncated: isCut || saved.ref !== null,
    warning: warningOf(parts, { ...saved, failed: saved.failed && isCut }, store.bytes()),
  };
}

function cutOffsetOf(parts: readonly Part[], texts: readonly Part[], cuts: readonly Cut[]): number | null {
  const first = cuts.findIndex((cut) => cut.cutOffset !== null);
  const cutPart = texts[first];
  if (cutPart) return cutPart.storedAt + (cuts[first]?.cutOffset ?? 0);
  return parts.find((part) => part.binary !== null)?.storedAt ?? null;
}

/** A pointer promises the whole; where it cannot be kept, or not all of it, that is said. */
function warningOf(
  parts: readonly Part[],
  saved: { failed: boolean; ref: string | null },
  bytes: number,
): string | null {
  if (parts.some((part) => part.lost === null))
    return 'The output could not be read to its end; the rest of it is lost, and nothing of it was stored.';
  // The streams of one command share what is kept of it, and with it what was dropped.
  const lost = Math.max(...parts.map((part) => part.lost ?? 0), 0);
  if (lost > 0) return `The first ${lost} bytes of the output were dropped before they could be stored; they are lost.`;
  if (saved.failed) return 'The full output could not be stored; what was cut away is lost.';
  if (saved.ref !== null && bytes > envelopeCap) return `Only the first ${envelopeCap} of ${bytes} bytes were stored.`;
  return null;
}

function joinCut(head: string, tail: string, omitted: number, rescued: readonly string[]): string {
  if (omitted === 0) return head;
  const kept = rescued.length === 0 ? '' : `lines kept from it:\n${rescued.join('\n')}\n[... end of kept lines ...]\n`;
  return `${head}\n[... ${omitted} bytes cut away here ...]\n${kept}${tail}`;
}

function joinParts(header: string, parts: readonly Part[], bodies: readonly string[]): string {
  let text = header;
  parts.forEach((part, index) => {
    const body = bodies[index] ?? '';
    if (body === '') return;
    const named = part.stream.name === 'stderr' && parts.length > 1;
    if (text !== '' && !text.endsWith('\n')) text += '\n';
    text += named ? `--- stderr ---\n${body}` : body;
  });
  return text;
}

function toText(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

type Spill = {
  bytes(): number;
  write(text: string): Promise<void>;
  /** The whole is wanted, however short it is. */
  need(): void;
  finish(wanted: boolean, cutOffset: number | null): Promise<Saved>;
};
type Saved = { ref: string | null; sha256: string | null; failed: boolean };
const unsaved: Saved = { ref: null, sha256: null, failed: false };

/** Keeps the beginning until it is sure that something will be cut, then opens the envelope and streams into it. */
function createSpill(output: OutputToEnvelope, deps: EnvelopeDeps): Spill {
  let waiting: string[] = [];
  let bytes = 0;
  let needed = false;
  let failed = false;
  let writer: EnvelopeWriter | null = null;
  const attempt = async <T>(act: () => Promise<T>): Promise<T | null> => {
    if (failed) return null;
    try {
      return await act();
    } catch (cause) {
      failed = true;
      waiting = [];
      deps.report({ message: `The full output of ${output.meta.tool} could not be stored.`, cause });
      await writer
        ?.abort()
        .catch((second: unknown) => deps.report({ message: 'An envelope could not be given up.', cause: second }));
      return null;
    }
  };
  const flush = () =>
    attempt(async () => {
      writer ??= await deps.envelopes.open({ ...output.meta, cutOffset: null });
      for (const text of waiting) await writer.write(Buffer.from(text, 'latin1'));
      waiting = [];
    });
  return {
    bytes: () => bytes,
    need: () => {
      needed = true;
    },
    async write(text) {
      const kept = text.slice(0, Math.max(0, envelopeCap - bytes));
      bytes += text.length;
      if (!output.spill || failed || kept === '') return;
      waiting.push(kept);
      if (needed || bytes > output.rule.limit) await flush();
    },
    async finish(wanted, cutOffset) {
      if (!output.spill || (!wanted && writer === null)) return unsaved;
      const open = writer as EnvelopeWriter | null;
      if (!wanted) {
        await attempt(async () => open?.abort());
        return unsaved;
      }
      await flush();
      const info = await attempt(async () => writer?.finish(cutOffset));
      return { ref: info?.ref ?? null, sha256: info?.sha256 ?? null, failed };
    },
  };
}
