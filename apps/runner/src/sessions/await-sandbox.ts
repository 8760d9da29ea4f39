import type { ToolDispatcher } from '@oneslot/core';

export type SandboxGate = {
  /** Settles when the sandbox can be used or cannot be had at all; true once it was ready. */
  ready(): Promise<boolean>;
};

/**
 * Calls wait for the sandbox, prompts do not: the first one may come while an image is still being built, which takes
 * longer than any tool may. Whoever waits here uses up none of a tool's own time, and a stop ends the waiting.
 */
export function awaitSandbox(dispatcher: ToolDispatcher, gate: SandboxGate): ToolDispatcher {
  let isReady = false;
  const wait = async (signal: AbortSignal) => {
    if (isReady || signal.aborted) return;
    const stopped = Promise.withResolvers<boolean>();
    const stop = () => stopped.resolve(false);
    signal.addEventListener('abort', stop, { once: true });
    isReady = await Promise.race([gate.ready(), stopped.promise]);
    signal.removeEventListener('abort', stop);
  };
  return {
    metadata: () => dispatcher.metadata(),
    async dispatch(calls, ending, signal) {
      await wait(signal);
      return dispatcher.dispatch(calls, ending, signal);
    },
    startEarly(call, signal) {
      if (isReady) dispatcher.startEarly(call, signal);
    },
    discardEarly: () => dispatcher.discardEarly(),
    beginTurn: () => dispatcher.beginTurn(),
    halted: () => dispatcher.halted(),
  };
}
