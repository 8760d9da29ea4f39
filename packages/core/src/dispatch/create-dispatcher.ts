import type { ToolDispatcher } from '../contract/tool-dispatcher.ts';
import { dispatchCalls } from './dispatch-calls.ts';
import type { DispatchState } from './dispatch-state.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';
import { LoopGuard } from './guard-loops.ts';
import { createEarlyCalls } from './start-early.ts';

/** Layer 3 over a session's catalog: all that a turn ever holds. */
export function createDispatcher(deps: DispatcherDeps): ToolDispatcher {
  const state: DispatchState = {
    deps,
    guard: new LoopGuard(),
    early: createEarlyCalls(),
    answers: deps.answers ?? new Map(),
  };
  return {
    metadata: () => deps.catalog.metadata(),
    dispatch: (calls, ending, signal) => dispatchCalls(calls, ending, state, signal),
    startEarly: (call, signal) => state.early.start(call, state, signal),
    discardEarly: () => state.early.discard(),
    beginTurn: () => state.guard.beginTurn(),
    halted: () => state.guard.halted(),
  };
}
