import type { ToolCall, ToolResult } from '../contract/tool-call.ts';
import type { TurnEnding } from '../contract/tool-dispatcher.ts';
import { batchPlans } from './batch-plans.ts';
import type { DispatchState } from './dispatch-state.ts';
import { executeBatches } from './execute-batches.ts';
import { planCalls } from './plan-calls.ts';
import { settleOutcomes } from './settle-outcomes.ts';

/**
 * The pipeline, read from top to bottom. One result per call, in the order of the calls, whatever happens; it
 * rejects only where a result can no longer be stored, and then nothing further runs.
 */
export async function dispatchCalls(
  calls: readonly ToolCall[],
  ending: TurnEnding,
  state: DispatchState,
  signal: AbortSignal,
): Promise<ToolResult[]> {
  const lost = new AbortController();
  const plans = planCalls(calls, ending, state);
  const batches = batchPlans(plans);
  const running = AbortSignal.any([signal, lost.signal]);
  const slots = executeBatches(plans, batches, state, running);
  return settleOutcomes(slots, state, running)
    .finally(() => lost.abort())
    .finally(() => state.early.discard());
}
