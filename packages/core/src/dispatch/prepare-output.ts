import type { Summary } from '../contract/ports.ts';
import type { OutputStream } from '../contract/tool-call.ts';
import type { ErrorCode } from '../errors.ts';
import { commandCut, generalCut } from '../output/cut-output.ts';
import type { EnvelopedOutput, OutputToEnvelope } from '../output/envelope-output.ts';
import { handleHint, makeHandle, renderHandle, spelledValue } from '../output/make-handle.ts';
import type { PlainOutput } from '../output/render-result.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';
import type { Outcome } from './plan.ts';
import { summarizeLong } from './summarize-long.ts';

/** One form for success and failure; `code` is set on a failure. */
export type Settling = PlainOutput & {
  code: ErrorCode | null;
  /** Where text from outside came from; null for our own. */
  source: string | null;
};

/** What goes to the envelope and in which form the model will read it. */
export type PreparedOutput = {
  shown: OutputToEnvelope;
  /** Stored in place of what is shown, where that is only a part. */
  whole: OutputToEnvelope | null;
  summary: Summary | null;
  /** Set where a structured value is too long to be shown. */
  value: { value: unknown; text: string } | null;
};

/** `label` stands before the text and `notes` behind it, both outside the wrapping; they are the host's own words. */
export type PresentedOutput = Pick<EnvelopedOutput, 'ref' | 'truncated'> & {
  text: string;
  label: string | null;
  notes: (string | null)[];
  warnings: string[];
};

/** `redact` goes over whatever text is stored, shown or sent to a model. */
export type PrepareDeps = { deps: DispatcherDeps; signal: AbortSignal; redact(text: string): string };

/** Before anything is stored: redacted, and summarized where that is wanted. */
export async function prepareOutput(
  plan: Outcome['plan'],
  output: Settling,
  { deps, signal, redact }: PrepareDeps,
): Promise<PreparedOutput> {
  const content = redact(output.content);
  const shown = toEnvelope(plan, output, content);
  const whole = output.whole ? { ...shown, ...ofCommand(output.whole), header: '', spill: true } : null;
  const plain: PreparedOutput = { shown, whole, summary: null, value: null };
  if (shown.rule !== generalCut || output.ok === false) return plain;
  const isOver = Buffer.byteLength(content) > generalCut.limit;
  const value = isOver ? (output.value ?? spelledValue(content)) : undefined;
  if (value !== undefined) return { ...plain, shown: { ...shown, keepWhole: true }, value: { value, text: content } };
  const summary = await summarizeLong(plan, content, deps, signal);
  if (summary?.kind !== 'summary') return { ...plain, summary };
  const safe = { ...summary, text: redact(summary.text) };
  return { ...plain, shown: { ...shown, keepWhole: true }, summary: safe };
}

/** Summary and handle stand for what is kept; where it could not be kept, the text itself is shown. */
export function presentOutput(
  prepared: PreparedOutput,
  enveloped: EnvelopedOutput,
  whole: EnvelopedOutput | null,
): PresentedOutput {
  const { ref, sha256 } = enveloped;
  const warnings = [enveloped.warning ?? [], whole?.warning ?? []].flat();
  const presented: PresentedOutput = {
    text: enveloped.text,
    label: null,
    notes: [enveloped.pointer ?? whole?.pointer ?? null],
    warnings,
    ref: ref ?? whole?.ref ?? null,
    truncated: enveloped.truncated || (whole?.truncated ?? false),
  };
  const { summary, value } = prepared;
  if (value && ref !== null && sha256 !== null) {
    const handle = makeHandle(value.value, value.text, { ref, sha256 });
    return { ...presented, text: renderHandle(handle), notes: [...presented.notes, handleHint(handle)] };
  }
  if (summary?.kind === 'failed') {
    const note = `note: no summary could be made (${summary.reason}); the output stands here as it is.`;
    return { ...presented, notes: [...presented.notes, note] };
  }
  return summary && ref !== null ? { ...presented, text: summary.text, label: summary.label } : presented;
}

/** A command shares one budget among its streams; whatever else a tool says falls under the general threshold. */
function toEnvelope(plan: Outcome['plan'], output: Settling, content: string): OutputToEnvelope {
  const meta = {
    callId: plan.call.callId,
    tool: plan.spec?.name ?? plan.call.name,
    origin: output.source ?? plan.spec?.name ?? plan.call.name,
    untrusted: output.source !== null,
  };
  if (output.streams) return { header: content, ...ofCommand(output.streams), spill: output.running !== true, meta };
  const bytes = Buffer.from(content, 'utf8');
  const read = async function* () {
    yield bytes;
  };
  const streams = [{ name: 'stdout' as const, bytes: bytes.length, read }];
  if (output.running === true || output.whole !== undefined || plan.spec?.pollable === true)
    return { header: '', ...ofCommand(streams), spill: false, meta };
  return { header: '', streams, rule: generalCut, spill: true, clean: false, meta };
}

function ofCommand(streams: readonly OutputStream[]): Pick<OutputToEnvelope, 'streams' | 'rule' | 'clean'> {
  return { streams, rule: commandCut, clean: true };
}
