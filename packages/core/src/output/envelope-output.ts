import type { EnvelopeMeta, EnvelopeStore, EnvelopeWriter, SecretsPort } from '../contract/ports.ts';
import type { OutputStream } from '../contract/tool-call.ts';
import { createCleaner } from './clean-output.ts';
import { type CutRule, createOutputView, type OutputView, shareBudget } from './cut-output.ts';
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
  /** Terminal control goes; false for text that no program printed. */
  clean: boolean;
  meta: Omit<EnvelopeMeta, 'cutOffset'>;
};

/** `text` is what may be wrapped; `pointer` stands outside; `warning` says that the whole could not be stored. */
export type EnvelopedOutput = {
  text: string;
  pointer: string | null;
  ref: string | null;
  truncated: boolean;
  warning: string | null;
};

/** Source: slot.md §14. Bytes behind it are shown as far as the view keeps them, but not stored. */
export const envelopeCap = 64 * 1024 * 1024;
/** Chunks are taken apart at this size, so that one long line costs no more than many short ones. */
const stepBytes = 64 * 1024;
const noteRoom = 160;

type Part = { stream: OutputStream; view: OutputView; binary: string | null; storedAt: number; storedBytes: number };

/** One pass over the whole output: redacted, stored if it has to be cut, and cut. Holds a few limits' worth of bytes, never all. */
export async function envelopeOutput(output: OutputToEnvelope, deps: EnvelopeDeps): Promise<EnvelopedOutput> {
  const store = createSpill(output, deps);
  const parts: Part[] = [];
  for (const stream of output.streams) {
    const part: Part = { stream, view: createOutputView(output.rule), binary: null, storedAt: 0, storedBytes: 0 };
    parts.push(part);
    await readPart(part, parts.length > 1, output, store, deps.secrets);
  }
  return finish(output, parts, store);
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
  const truncated = firstCut !== -1 || binary !== undefined;
  const cutPart = texts[firstCut];
  const cutOffset = cutPart ? cutPart.storedAt + (cuts[firstCut]?.cutOffset ?? 0) : binary ? binary.storedAt : null;
  const saved = await store.finish(truncated, cutOffset);
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
    truncated,
    warning: saved.failed ? 'The full output could not be stored; what was cut away is lost.' : null,
  };
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
  finish(wanted: boolean, cutOffset: number | null): Promise<{ ref: string | null; failed: boolean }>;
};

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
      if (!output.spill || (!wanted && writer === null)) return { ref: null, failed: false };
      const open = writer as EnvelopeWriter | null;
      if (!wanted) {
        await attempt(async () => open?.abort());
        return { ref: null, failed: false };
      }
      await flush();
      const info = await attempt(async () => writer?.finish(cutOffset));
      return { ref: info?.ref ?? null, failed };
    },
  };
}
