import { digestOf } from '../approval/digest-call.ts';
import type { ResultPart, ToolResult } from '../contract/tool-call.ts';
import { type ErrorCode, ToolError } from '../errors.ts';
import { envelopeOutput } from '../output/envelope-output.ts';
import { redactSecrets, redactValue } from '../output/redact-secrets.ts';
import { plainData, readOutput, renderError, renderResult } from '../output/render-result.ts';
import { wrapExternal } from '../output/wrap-external.ts';
import { journalResult } from './call-journal.ts';
import type { DispatchState } from './dispatch-state.ts';
import type { Slot } from './execute-batches.ts';
import { fitMedia } from './fit-media.ts';
import type { GuardedEnding, GuardNotice } from './guard-loops.ts';
import type { Outcome } from './plan.ts';
import { prepareOutput, presentOutput, type Settling } from './prepare-output.ts';
import { tellUnchanged } from './tell-unchanged.ts';

/** One result per call in the order of the calls; each is finished and stored as soon as its slot fills. */
export function settleOutcomes(
  slots: readonly Slot[],
  state: DispatchState,
  signal: AbortSignal,
): Promise<ToolResult[]> {
  return Promise.all(slots.map((slot) => settleSlot(slot, { ...state, signal })));
}

type SettleState = DispatchState & { signal: AbortSignal };

async function settleSlot(slot: Slot, state: SettleState): Promise<ToolResult> {
  try {
    const outcome = await slot.outcome;
    if (outcome.ending.kind === 'stored') return outcome.ending.result;
    // Recorded before the first wait, so that the next batch already meets a halt.
    const output = outputOf(outcome, state);
    const notice = record(outcome, output, state);
    const unchanged = tellUnchanged(outcome.plan, output, state.answers);
    const settling = unchanged === null ? output : { ...output, content: unchanged };
    const result = await settleOne(outcome, settling, notice, state);
    await journalResult(result, state.deps);
    activateCalled(outcome, state);
    return result;
  } finally {
    slot.settled();
  }
}

function outputOf({ plan, ending }: Outcome, state: DispatchState): Settling {
  if (ending.kind === 'returned') {
    const output = readOutput(ending.output);
    return { ...output, code: null, source: output.origin ?? sourceOf(plan) };
  }
  const error =
    ending.kind === 'failed' ? ending.error : new ToolError('internal', 'A stored result was settled twice.');
  // Codes of the pipeline are its own words even where the tool was reached.
  const foreign =
    ending.kind === 'failed' &&
    ending.reached &&
    error.code !== 'timeout' &&
    error.code !== 'cancelled' &&
    error.code !== 'internal';
  if (error.code === 'internal' && error.cause !== undefined)
    state.deps.report({ message: error.message, cause: error.cause });
  return {
    content: renderError(error),
    ok: false,
    data: error.data,
    code: error.code,
    source: foreign ? sourceOf(plan) : null,
  };
}

/** Text that came over a network or from foreign code is never taken for the host's own. */
function sourceOf(plan: Outcome['plan']): string | null {
  if (!plan.spec) return null;
  const { spec } = plan;
  const foreign = spec.source !== 'builtin' && spec.source !== 'subagent';
  if (!foreign && !spec.capabilities.has('network')) return null;
  const host = plan.kind === 'ready' ? plan.facts.hosts[0] : undefined;
  return host ?? (foreign ? spec.source : spec.name);
}

const noFailure: ReadonlySet<ErrorCode> = new Set([
  'approval_denied',
  'approval_expired',
  'denied_by_policy',
  'plan_mode',
  'cancelled',
  'truncated_turn',
  'loop_blocked',
  'quota_exceeded',
]);

function record({ plan }: Outcome, output: Settling, state: DispatchState): GuardNotice {
  const neither = !plan.isAttempt || (output.code !== null && noFailure.has(output.code));
  const kind: GuardedEnding['kind'] = neither ? 'neither' : output.ok === false ? 'failed' : 'succeeded';
  return state.guard.record(plan.guarded, { kind, resultDigest: digestOf(comparable(output)) });
}

/** What tells one result from another; how long it took does not. */
function comparable({ content, streams }: Settling): unknown {
  const text = content.replace(/\b\d+(?:\.\d+)? ?(?:ms|s|min)\b/g, '');
  return [text, ...(streams ?? []).map((stream) => stream.bytes)];
}

async function settleOne(
  { plan, tookMs }: Outcome,
  output: Settling,
  notice: GuardNotice,
  state: SettleState,
): Promise<ToolResult> {
  const { deps } = state;
  const { secrets } = deps;
  const redact = (one: string) => redactSecrets(one, secrets);
  const prepared = await prepareOutput(plan, output, { ...state, redact });
  const enveloped = await envelopeOutput(prepared.shown, deps);
  const whole = prepared.whole && (await envelopeOutput(prepared.whole, deps));
  const presented = presentOutput(prepared, enveloped, whole);
  const text = presented.text.trim() === '' ? 'no output' : presented.text;
  const wrapped = output.source === null ? text : wrapExternal(text, output.source, deps.randomBytes);
  const media = await fitMedia(partsOf(output.parts), deps.media);
  const own = [...media.warnings, ...(output.warnings ?? []), ...presented.warnings];
  // Shortened only now, or the cut would leave half of a secret unmasked.
  const warnings = [...tellPlan(plan), ...own].map((warning) => shorten(redact(warning)));
  const notes = [
    ...presented.notes,
    output.footer === undefined ? null : redact(output.footer),
    ...warnings.map((warning) => `warning: ${warning}`),
    notice.kind === 'warn'
      ? `notice: ${notice.text}`
      : notice.kind === 'halt'
        ? `notice: this turn ends here. ${notice.reason}`
        : null,
  ];
  return {
    callId: plan.call.callId,
    ok: output.ok ?? true,
    code: output.code,
    content: renderResult(presented.label === null ? wrapped : `${presented.label}\n${wrapped}`, notes),
    ...(output.data === undefined ? {} : { data: redactValue(plainData(output.data), secrets) }),
    parts: media.parts,
    warnings,
    truncated: presented.truncated,
    outputRef: presented.ref,
    untrusted: output.source !== null,
    tookMs,
  };
}

const warningCharacters = 2_000;

/** A model that does not know what ran in place of its input would reason about the wrong bytes. */
function tellPlan(plan: Outcome['plan']): readonly string[] {
  if (plan.kind !== 'ready' || !plan.changedBy) return plan.kind === 'ready' ? plan.warnings : [];
  return [...plan.warnings, `a ${plan.changedBy} changed the input of this call to ${JSON.stringify(plan.input)}`];
}

function shorten(warning: string): string {
  return warning.length <= warningCharacters ? warning : `${warning.slice(0, warningCharacters).toWellFormed()}…`;
}

/** Foreign code may put anything beside its text; only images with their three fields pass. */
function partsOf(parts: readonly ResultPart[] | undefined): ResultPart[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter(
    (part) => part?.kind === 'image' && typeof part.base64 === 'string' && typeof part.mediaType === 'string',
  );
}

/** A deferred tool that was called and understood stays at hand; from the next step on it is in the request. */
function activateCalled({ plan }: Outcome, state: DispatchState): void {
  if (plan.kind === 'ready' && plan.spec.load === 'deferred') state.deps.catalog.activate([plan.spec.name]);
}
