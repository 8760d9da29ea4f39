import type { Clock, ModelDelta, TranscriptItem } from '@oneslot/core';

/** What an offline model says in one step: text and structured calls, as a provider would stream them. */
export type OfflineAnswer = { text: string; calls: readonly { name: string; argumentsText: string }[] };
export type OfflineDeps = { clock: Clock };

/** Fast enough not to bore, slow enough that people see what streaming is. */
const wordMs = 12;

/** Plays an answer as deltas. Calls travel in the structured channel, so they pass the whole slot like any model's. */
export async function* playAnswer(
  answer: OfflineAnswer,
  deps: OfflineDeps,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta> {
  for (const word of answer.text.match(/\S+\s*/g) ?? []) {
    if (signal.aborted) return;
    yield { kind: 'text', text: word };
    await deps.clock.sleep(wordMs, signal);
  }
  for (const [index, call] of answer.calls.entries()) {
    yield { kind: 'call', index, name: call.name, argumentsText: call.argumentsText };
    yield { kind: 'call-end', index };
  }
  yield { kind: 'usage', inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
  yield { kind: 'finish', reason: answer.calls.length > 0 ? 'calls' : 'stop' };
}

/** What stands behind the last user message: the steps of the turn that runs now. */
export function currentTurn(transcript: readonly TranscriptItem[]): {
  message: string;
  items: readonly TranscriptItem[];
} {
  const at = transcript.findLastIndex((item) => item.kind === 'user');
  const message = transcript[at];
  return { message: message?.kind === 'user' ? message.text : '', items: transcript.slice(at + 1) };
}
