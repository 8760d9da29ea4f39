import type { StoredEvent, TranscriptItem } from '@oneslot/core';

/** Texts that moved to envelopes, by ref. */
export type SpilledTexts = ReadonlyMap<string, string>;
type Result = Extract<TranscriptItem, { kind: 'result' }>;
type Assistant = Extract<TranscriptItem, { kind: 'assistant' }>;

/**
 * The conversation as the log tells it. Only completed steps count, a discarded stream never happened; results stand
 * behind their step in the order of its calls. The same events always give the same items, so a longer log only appends.
 */
export function buildTranscript(events: readonly StoredEvent[], texts: SpilledTexts = new Map()): TranscriptItem[] {
  const results = collectResults(events);
  return events.flatMap(({ event }): TranscriptItem[] => {
    if (event.kind === 'message-added') return [{ kind: 'user', text: wholeText(event.text, event.textRef, texts) }];
    if (event.kind !== 'step-completed') return [];
    const calls = event.calls.map(({ callId, name, argumentsText, argumentsRef }) => ({
      callId,
      name,
      argumentsText: wholeText(argumentsText, argumentsRef, texts),
    }));
    const text = wholeText(event.text, event.textRef, texts);
    const assistant: Assistant = { kind: 'assistant', text, reasoning: event.reasoning, calls };
    return [assistant, ...calls.flatMap((call) => results.get(call.callId) ?? [])];
  });
}

/** The first result of a call holds: a call has exactly one, whatever was written after it. */
function collectResults(events: readonly StoredEvent[]): Map<string, Result> {
  const results = new Map<string, Result>();
  for (const { event } of events) {
    if (event.kind !== 'call-finished' || results.has(event.callId)) continue;
    const { content, parts } = event.result;
    results.set(event.callId, { kind: 'result', callId: event.callId, content, parts });
  }
  return results;
}

function wholeText(text: string, ref: string | undefined, texts: SpilledTexts): string {
  return ref === undefined ? text : (texts.get(ref) ?? text);
}

/** Every ref whose text the transcript needs. */
export function spilledRefs(events: readonly StoredEvent[]): string[] {
  return events.flatMap(({ event }) => {
    if (event.kind === 'message-added') return event.textRef ?? [];
    if (event.kind !== 'step-completed') return [];
    return [event.textRef ?? [], ...event.calls.map((call) => call.argumentsRef ?? [])].flat();
  });
}
