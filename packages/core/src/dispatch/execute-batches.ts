import { approveCall } from '../approval/approve-call.ts';
import { ToolError } from '../errors.ts';
import type { Batch } from './batch-plans.ts';
import type { DispatchState } from './dispatch-state.ts';
import { pickPorts } from './pick-ports.ts';
import type { Outcome, Plan, ReadyPlan } from './plan.ts';

/** At most this many calls of one batch run at once. */
export const concurrencyCap = 8;

/** A call's place. `outcome` is filled exactly once; the next batch waits until every slot of this one is settled. */
export type Slot = { plan: Plan; outcome: Promise<Outcome>; settled(): void };
type OpenSlot = Slot & { fill(outcome: Outcome): void; whenSettled: Promise<void> };

/** Starts the batches in order and hands out the slots at once, so that each can settle as it fills. */
export function executeBatches(
  plans: readonly Plan[],
  batches: readonly Batch[],
  state: DispatchState,
  signal: AbortSignal,
): Slot[] {
  const slots = plans.map(openSlot);
  void runBatches(slots, batches, state, signal);
  return slots;
}

async function runBatches(
  slots: readonly OpenSlot[],
  batches: readonly Batch[],
  state: DispatchState,
  signal: AbortSignal,
): Promise<void> {
  for (const batch of batches) {
    const members = batch.indices.flatMap((index) => slots[index] ?? []);
    const queue = [...members];
    const worker = async () => {
      for (let slot = queue.shift(); slot; slot = queue.shift()) slot.fill(await executePlan(slot.plan, state, signal));
    };
    await Promise.all(
      Array.from({ length: Math.min(state.deps.maxConcurrency ?? concurrencyCap, members.length) }, worker),
    );
    await Promise.all(members.map((slot) => slot.whenSettled));
  }
}

function openSlot(plan: Plan): OpenSlot {
  const { promise: outcome, resolve: fill } = Promise.withResolvers<Outcome>();
  const { promise: whenSettled, resolve: settled } = Promise.withResolvers<void>();
  return { plan, outcome, fill, settled, whenSettled };
}

/** Never rejects: whatever goes wrong fills this call's slot and no other. */
export async function executePlan(plan: Plan, state: DispatchState, signal: AbortSignal): Promise<Outcome> {
  const startedAt = state.deps.clock.now();
  const end = (ending: Outcome['ending'], input = plan.input): Outcome => ({
    plan,
    ending,
    input,
    tookMs: state.deps.clock.now() - startedAt,
    stored: null,
  });
  if (plan.kind === 'refused') return end({ kind: 'failed', error: plan.error });
  try {
    if (signal.aborted) throw cancelled();
    const output = await run(plan, state, signal);
    return end({ kind: 'returned', output });
  } catch (error) {
    return end({ kind: 'failed', error: asToolError(error, state) });
  }
}

async function run(plan: ReadyPlan, state: DispatchState, signal: AbortSignal) {
  const { deps } = state;
  await approveCall();
  const held = await deps.lock.acquire(plan.readOnly ? 'shared' : 'exclusive', plan.call.callId, { signal });
  try {
    if (signal.aborted) throw cancelled();
    if (plan.readOnly) deps.journal.post({ kind: 'call-started', callId: plan.call.callId, early: false });
    else await deps.journal.append({ kind: 'call-started', callId: plan.call.callId, early: false });
    const context = {
      callId: plan.call.callId,
      signal,
      progress: (text: string) => deps.journal.post({ kind: 'call-progressed', callId: plan.call.callId, text }),
      ...pickPorts(plan.spec, deps.ports(plan.call.callId)),
    };
    return await plan.spec.execute(plan.input, context);
  } finally {
    held.release();
  }
}

function asToolError(error: unknown, state: DispatchState): ToolError {
  if (error instanceof ToolError) return error;
  state.deps.report({ message: 'A tool threw something that is no ToolError.', cause: error });
  return new ToolError('internal', 'The tool failed with a bug.', { cause: error });
}

const cancelled = () => new ToolError('cancelled', 'The turn was stopped before this call ran.');
