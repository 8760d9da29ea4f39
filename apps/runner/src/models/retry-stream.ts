import { type Clock, type ModelDelta, type RejectedItem, ToolError } from '@oneslot/core';
import { isCut, isTransient, retryAfterMs, toUpstreamError } from './upstream-error.ts';

/** The first retry comes fast because most failures are a dropped keep-alive connection. */
const delaysMs = [200, 1_000, 4_000];
const longestWaitMs = 20_000;

type RetryDeps = {
  modelId: string;
  clock: Clock;
  signal: AbortSignal;
  /** What of the request a refusal is about; null where it does not say. */
  locate(error: unknown): RejectedItem | null;
};

/**
 * Opens the stream again while nothing of an answer has been handed on. What breaks later is the turn's to ask again,
 * because it must first take back what people saw; `final` tells it where that is pointless.
 */
export async function* retryStream(open: () => AsyncIterable<ModelDelta>, deps: RetryDeps): AsyncGenerator<ModelDelta> {
  for (let attempt = 0; ; attempt++) {
    let committed = false;
    try {
      for await (const delta of open()) {
        committed = true;
        yield delta;
      }
      if (committed || deps.signal.aborted) return;
      throw new ToolError('upstream_error', `The model ${deps.modelId} closed the stream before it said anything.`);
    } catch (error) {
      if (deps.signal.aborted) return;
      const delay = delaysMs[attempt];
      const empty = error instanceof ToolError && !committed;
      if (committed || delay === undefined || !(isTransient(error) || empty))
        throw toUpstreamError(error, deps.modelId, {
          final: !(committed && (isTransient(error) || isCut(error))),
          rejected: deps.locate(error),
        });
      const wanted = attempt === 0 ? delay : Math.max(delay, retryAfterMs(error) ?? 0);
      await deps.clock.sleep(Math.min(wanted, longestWaitMs), deps.signal);
    }
  }
}
