import { createHash } from 'node:crypto';
import { ToolError } from '../errors.ts';
import type { ModelDelta, ModelFailure, ModelRequest, RejectedItem } from './model-client.ts';
import { readStream, type StreamOutcome } from './read-stream.ts';
import type { TurnDeps } from './turn-deps.ts';

/** How a request ended. `again` is false where asking once more would bring the same failure. */
export type Answer =
  | { kind: 'whole'; outcome: StreamOutcome }
  /** The stream broke, or ended without saying anything. */
  | { kind: 'cut'; reason: string; again: boolean; rejected: RejectedItem | null }
  | { kind: 'stopped'; text: string; reasoning: string };

export type AnswerRequest = { request: ModelRequest; step: number; takenIds: ReadonlySet<string> };

/** Reads one streamed answer and sends on what may be shown; a stop is felt at once, whatever the model client does. */
export async function readAnswer({ request, step, takenIds }: AnswerRequest, deps: TurnDeps): Promise<Answer> {
  const seen = { text: '', reasoning: '' };
  let made = 0;
  try {
    const outcome = await readStream(untilStopped(deps.model.stream(request, deps.signal), deps.signal), {
      tools: new Set(request.tools.map((tool) => tool.name)),
      takenIds,
      makeId: () => callId(deps.turnId, takenIds.size, made++),
      onText(text) {
        seen.text += text;
        deps.sink.post({ kind: 'text-appended', step, text });
      },
      onReasoning(text) {
        seen.reasoning += text;
        deps.sink.post({ kind: 'reasoning-appended', step, text });
      },
      onCallClosed(call) {
        deps.dispatcher.startEarly(call, deps.signal);
      },
    });
    if (deps.signal.aborted) return { kind: 'stopped', ...seen };
    const silent = outcome.text === '' && outcome.calls.length === 0 && outcome.forged === 0;
    if (!silent || outcome.ending === 'complete') return { kind: 'whole', outcome };
    return { kind: 'cut', reason: 'The model ended its answer without saying anything.', again: true, rejected: null };
  } catch (cause) {
    if (deps.signal.aborted) return { kind: 'stopped', ...seen };
    const reason = cause instanceof Error ? cause.message : 'The model could not be read.';
    const { final, rejected } = failureOf(cause);
    return { kind: 'cut', reason, again: !final, rejected: rejected ?? null };
  }
}

/** A client says where asking again is pointless; anything else that was thrown may be worth another try. */
function failureOf(cause: unknown): Partial<ModelFailure> {
  return cause instanceof ToolError && cause.code === 'upstream_error' ? Object(cause.data) : {};
}

/** The same ids for the same place in a transcript, and short enough for every provider. */
function callId(turnId: string, place: number, index: number): string {
  return `call_${createHash('sha256').update(`${turnId} ${place} ${index}`).digest('hex').slice(0, 24)}`;
}

async function* untilStopped(stream: AsyncIterable<ModelDelta>, signal: AbortSignal): AsyncIterable<ModelDelta> {
  const iterator = stream[Symbol.asyncIterator]();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  // Without a reader of its own a late rejection would count as unhandled.
  stopped.catch(() => undefined);
  try {
    signal.throwIfAborted();
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), stopped]);
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a client that hangs must not hold the turn.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
