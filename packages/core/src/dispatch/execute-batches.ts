import {
  type Approval,
  type ApprovalDeps,
  approveCall,
  type CallToApprove,
  stillApproved,
} from '../approval/approve-call.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ToolOutput } from '../contract/tool-call.ts';
import { ToolError } from '../errors.ts';
import { inputRefOf, resolveInputRef } from '../output/resolve-input-ref.ts';
import type { Batch } from './batch-plans.ts';
import { findStored, journalChange, journalStart, reportProgress } from './call-journal.ts';
import type { DispatchState } from './dispatch-state.ts';
import { limitTime } from './limit-time.ts';
import { pickPorts } from './pick-ports.ts';
import type { Ending, Outcome, Plan, ReadyPlan } from './plan.ts';
import { judgeAgain, judgeChanged } from './plan-calls.ts';
import { haltedTurn } from './refusals.ts';
import { createSummaries } from './summarize-long.ts';
import type { HeldLock, LockKind } from './tool-lock.ts';

/** At most this many calls of one batch run at once. */
const concurrencyCap = 8;
/** A world that changes faster than people answer is asked about this often. */
const approvalRounds = 3;

/** A call's place. `outcome` is filled exactly once; the next batch waits until every slot of this one is settled. */
export type Slot = { plan: Plan; outcome: Promise<Outcome>; settled(): void };
type OpenSlot = Slot & { fill(outcome: Outcome): void; whenSettled: Promise<void> };
type Run = { signal: AbortSignal; early: boolean };

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
  const { spans, maxConcurrency = concurrencyCap } = state.deps;
  for (const batch of batches) {
    const members = batch.indices.flatMap((index) => slots[index] ?? []);
    const waiting = [...members];
    const worker = async () => {
      for (let slot = waiting.shift(); slot; slot = waiting.shift()) {
        spans?.begin(slot.plan.call.callId);
        slot.fill(await executePlan(slot.plan, state, { signal, early: false }));
      }
    };
    await Promise.all(Array.from({ length: Math.min(maxConcurrency, members.length) }, worker));
    await Promise.all(members.map((slot) => slot.whenSettled));
    for (const slot of members.toReversed()) spans?.end(slot.plan.call.callId);
  }
}

function openSlot(plan: Plan): OpenSlot {
  const { promise: outcome, resolve: fill } = Promise.withResolvers<Outcome>();
  const { promise: whenSettled, resolve: settled } = Promise.withResolvers<void>();
  return { plan, outcome, fill, settled, whenSettled };
}

/** Never rejects: whatever goes wrong fills this call's slot and no other. */
export async function executePlan(plan: Plan, state: DispatchState, run: Run): Promise<Outcome> {
  const { clock } = state.deps;
  const startedAt = clock.now();
  const progress: Progress = { plan, reached: false };
  try {
    const ending = await endingOf(plan, state, run, progress);
    return { plan: progress.plan, ending, tookMs: clock.now() - startedAt };
  } catch (cause) {
    const error = asToolError(cause, progress.plan, state);
    return {
      plan: progress.plan,
      ending: { kind: 'failed', error, reached: progress.reached },
      tookMs: clock.now() - startedAt,
    };
  }
}

/** How far a call got: the plan in force, and whether the tool itself was reached. */
type Progress = { plan: Plan; reached: boolean };

async function endingOf(plan: Plan, state: DispatchState, run: Run, progress: Progress): Promise<Ending> {
  if (plan.kind === 'refused') throw plan.error;
  const early = run.early ? null : state.early.take(plan);
  if (early) {
    const outcome = await early;
    progress.plan = outcome.plan;
    journalChange(outcome.plan, state.deps);
    if (!run.signal.aborted) return outcome.ending;
  }
  throwIfStopped(state, run);
  if (!run.early) {
    const stored = await findStored(plan.call.callId, state.deps);
    if (stored) return { kind: 'stored', result: stored };
  }
  const output = await runApproved(await rewritten(plan, state), state, run, progress);
  return { kind: 'returned', output };
}

/** Asked before any lock is taken; proven again under it, because a person may have taken an hour. */
async function runApproved(plan: ReadyPlan, state: DispatchState, run: Run, progress: Progress): Promise<ToolOutput> {
  const { deps } = state;
  progress.plan = plan;
  for (let round = 1; round <= approvalRounds; round += 1) {
    const asked = progress.plan.kind === 'ready' ? progress.plan : plan;
    const approval = await approveCall(toApprove(asked, state), approvalDeps(asked, state, progress), run.signal);
    const approved = progress.plan.kind === 'ready' ? progress.plan : plan;
    const held = await deps.lock.acquire(lockKind(approved), plan.call.callId, {
      signal: run.signal,
      ...(deps.parentLock ? { parent: deps.parentLock } : {}),
    });
    if (await provenUnderLock({ approval, plan: approved }, held, state))
      return execute(approved, held, state, run, progress);
    held.release();
    progress.plan = judgeAgain(approved, deps);
  }
  throw new ToolError(
    'conflict',
    `The files that this ${plan.spec.name} call names changed each time it was approved.`,
    {
      next: 'Read them again, then make the call again.',
    },
  );
}

type Approved = { approval: Approval; plan: ReadyPlan };

async function provenUnderLock({ approval, plan }: Approved, held: HeldLock, state: DispatchState): Promise<boolean> {
  try {
    const now = judgeAgain(plan, state.deps);
    // A stricter mode came while this call waited for its turn: a person has not been asked yet.
    if (now.decision === 'ask' && approval.subject === null) return false;
    return await stillApproved(approval, state.deps);
  } catch (cause) {
    held.release();
    throw cause;
  }
}

async function execute(
  plan: ReadyPlan,
  held: HeldLock,
  state: DispatchState,
  run: Run,
  progress: Progress,
): Promise<ToolOutput> {
  const { deps } = state;
  const { spec, call } = plan;
  try {
    throwIfStopped(state, run);
    // Of an early call the plan itself is not written down yet.
    if (!run.early) journalChange(plan, deps);
    await journalStart(plan, run.early, deps);
    // Storing takes time, in which the turn may have been stopped; nothing executes after a cancel.
    throwIfStopped(state, run);
  } catch (cause) {
    held.release();
    throw cause;
  }
  progress.reached = true;
  return limitTime({
    name: spec.name,
    timeoutMs: spec.timeoutMs,
    signal: run.signal,
    clock: deps.clock,
    run: async (signal) => {
      const own = { callId: call.callId, signal, progress: reportProgress(call.callId, deps) };
      const ports = { summaries: createSummaries(deps, signal), ...deps.ports(call.callId, held.token) };
      // Under the lock and after the last look at what was approved; plan and log keep the ref.
      const input = await resolveInputRef(spec, plan.input, deps.envelopes);
      throwIfStopped(state, run);
      return spec.execute(input, { ...pickPorts(spec, ports), ...own });
    },
    onEnded: held.release,
  });
}

/** A hook's input is judged like the model's; in a running batch it may not stop for a question. */
async function rewritten(plan: ReadyPlan, state: DispatchState): Promise<ReadyPlan> {
  const input = (await state.deps.rewrite?.(plan.spec.name, plan.input)) ?? null;
  if (input === null) return plan;
  const judged = judgeChanged(plan, { input, by: 'hook' }, state.deps);
  if (!plan.concurrent || judged.concurrent) return judged;
  throw new ToolError(
    'denied_by_policy',
    `A hook changed this ${plan.spec.name} call so that it can no longer run beside others.`,
    {
      next: 'Make the call again by itself.',
    },
  );
}

function approvalDeps(plan: ReadyPlan, state: DispatchState, progress: Progress): ApprovalDeps {
  return {
    ...state.deps,
    reconsider: (input) => {
      const judged = judgeChanged(plan, { input, by: 'person' }, state.deps);
      progress.plan = judged;
      return toApprove(judged, state);
    },
  };
}

function toApprove(plan: ReadyPlan, { deps }: DispatchState): CallToApprove {
  const { spec, input, facts, verdict } = plan;
  return {
    callId: plan.call.callId,
    tool: spec.name,
    toolVersion: deps.catalog.version(spec.name),
    title: spec.title(input),
    input,
    decision: plan.decision,
    level: plan.level,
    reason: plan.reason,
    command: verdict.command,
    paths: facts.paths,
    hosts: facts.hosts,
    inputRefs: [inputRefOf(spec, input) ?? []].flat(),
    discriminators: choosingFields(spec.inputSchema),
    grantable: !spec.capabilities.has('external_effect'),
    approvers: plan.approvers,
  };
}

/** Fields that choose what is done rather than what it is done to. */
function choosingFields(schema: JsonObject): string[] {
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).flatMap(([name, field]) => {
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return [];
    return 'enum' in field || 'const' in field || field.type === 'boolean' ? [name] : [];
  });
}

/** A tool that only asks, waits or spawns holds nothing, so that it cannot keep others waiting for a person or a process. */
function lockKind({ spec, readOnly }: ReadyPlan): LockKind {
  if (spec.interactive || spec.pollable) return 'none';
  if (readOnly) return 'shared';
  const onlyInside =
    spec.uses.size > 0 && [...spec.capabilities].every((one) => one === 'spends_tokens' || one === 'sandboxable');
  return onlyInside ? 'none' : 'exclusive';
}

function throwIfStopped(state: DispatchState, { signal }: Run): void {
  if (signal.aborted) throw new ToolError('cancelled', 'The turn was stopped before this call ran.');
  const halted = state.guard.halted();
  if (halted !== null) throw haltedTurn(halted);
}

function asToolError(cause: unknown, plan: Plan, state: DispatchState): ToolError {
  if (cause instanceof ToolError) return cause;
  state.deps.report({
    message: `${plan.spec?.name ?? plan.call.name} failed with something that is no ToolError.`,
    cause,
  });
  return new ToolError('internal', `${plan.spec?.name ?? plan.call.name} failed with a bug of its own.`, {
    changed: 'unknown',
    next: 'Look at what was done before you repeat it; the cause is in the log.',
    cause,
  });
}
