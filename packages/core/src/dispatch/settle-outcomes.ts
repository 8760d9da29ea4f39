import type { ToolResult } from '../contract/tool-call.ts';
import { renderError } from '../output/render-result.ts';
import type { DispatchState } from './dispatch-state.ts';
import type { Slot } from './execute-batches.ts';
import type { Outcome } from './plan.ts';

/** One result per call in the order of the calls; each is finished and stored as soon as its slot fills. */
export function settleOutcomes(slots: readonly Slot[], state: DispatchState): Promise<ToolResult[]> {
  return Promise.all(slots.map((slot) => settleSlot(slot, state)));
}

async function settleSlot(slot: Slot, state: DispatchState): Promise<ToolResult> {
  const outcome = await slot.outcome;
  try {
    const result = resultOf(outcome);
    await state.deps.journal.append({ kind: 'call-finished', callId: result.callId, result });
    return result;
  } finally {
    slot.settled();
  }
}

function resultOf({ plan, ending, tookMs }: Outcome): ToolResult {
  const base = { callId: plan.call.callId, parts: [], truncated: false, outputRef: null, untrusted: false, tookMs };
  if (ending.kind === 'failed') {
    return { ...base, ok: false, code: ending.error.code, content: renderError(ending.error), warnings: [] };
  }
  const output = typeof ending.output === 'string' ? { content: ending.output } : ending.output;
  const warnings = plan.kind === 'ready' ? plan.warnings : [];
  return {
    ...base,
    ok: output.ok ?? true,
    code: null,
    content: output.content || 'no output',
    ...('data' in output ? { data: output.data } : {}),
    warnings,
  };
}
