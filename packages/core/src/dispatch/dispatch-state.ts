import type { ToolCall } from '../contract/tool-call.ts';
import type { DispatcherDeps, LastAnswers } from './dispatcher-deps.ts';
import type { LoopGuard } from './guard-loops.ts';
import type { Outcome, ReadyPlan } from './plan.ts';

/** What one dispatcher remembers between dispatches, beside what it is wired to. */
export type DispatchState = { deps: DispatcherDeps; guard: LoopGuard; early: EarlyCalls; answers: LastAnswers };

export type EarlyCalls = {
  /** Begins a closed call where the whole leading run of this answer only reads; else does nothing. */
  start(call: ToolCall, state: DispatchState, signal: AbortSignal): void;
  /** The outcome of an early start of exactly this plan; any other start of that id is given up. */
  take(plan: ReadyPlan): Promise<Outcome> | null;
  /** The stream was discarded, or its calls were dispatched: what was not taken is given up. */
  discard(): void;
};
