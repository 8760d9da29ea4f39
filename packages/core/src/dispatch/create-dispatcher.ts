import type { ToolDispatcher } from '../contract/tool-dispatcher.ts';
import { dispatchCalls } from './dispatch-calls.ts';
import type { DispatchState } from './dispatch-state.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';

/** Layer 3 over a session's catalog: all that a turn ever holds. */
export function createDispatcher(deps: DispatcherDeps): ToolDispatcher {
  const state: DispatchState = { deps };
  return {
    metadata: () => deps.catalog.metadata(),
    dispatch: (calls, ending, signal) => dispatchCalls(calls, ending, state, signal),
    startEarly: () => undefined,
    discardEarly: () => undefined,
    beginTurn: () => undefined,
    halted: () => null,
  };
}
