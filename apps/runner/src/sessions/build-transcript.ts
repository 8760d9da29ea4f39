import type { ConversationBlock, StoredEvent, TranscriptItem } from '@oneslot/core';

/** Texts that moved to envelopes, by ref. */
export type SpilledTexts = ReadonlyMap<string, string>;
type Result = Extract<TranscriptItem, { kind: 'result' }>;
type Assistant = Extract<TranscriptItem, { kind: 'assistant' }>;

/**
 * The conversation as the log tells it. Only completed steps count, a discarded stream never happened; results stand
 * behind their step in the order of its calls. The same events always give the same items, so a longer log only appends.
 */
export function buildTranscript(events: readonly StoredEvent[], texts: SpilledTexts = new Map()): TranscriptItem[] {
  const results = collectResults(events, texts);
  const dropped = droppedBlocks(events);
  let place = 0;
  return events.flatMap(({ event }): TranscriptItem[] => {
    if (event.kind === 'message-added') {
      const text = wholeText(event.text, event.textRef, texts);
      return [{ kind: 'user', text: dropped.has(`message ${place++}`) ? droppedText : text }];
    }
    if (event.kind !== 'step-completed') return [];
    const calls = event.calls.map(({ callId, name, argumentsText, argumentsRef }) => ({
      callId,
      name,
      argumentsText: wholeText(argumentsText, argumentsRef, texts),
    }));
    const text = wholeText(event.text, event.textRef, texts);
    const assistant: Assistant = {
      kind: 'assistant',
      text,
      reasoning: event.reasoning,
      calls,
      ...(event.ending === 'cut_off' ? { cutOff: true } : {}),
      ...(event.forged > 0 ? { forged: event.forged } : {}),
    };
    return [assistant, ...calls.flatMap((call) => withoutDropped(results.get(call.callId), dropped))];
  });
}

const droppedText = '[Left out: the model provider refused this part.]';
const droppedImage = '[Its image was left out: the model provider refused it.]';

/** What people left out because the provider refused it. */
function droppedBlocks(events: readonly StoredEvent[]): ReadonlySet<string> {
  return new Set(events.flatMap(({ event }) => (event.kind === 'block-dropped' ? [blockKey(event.block)] : [])));
}

export function blockKey(block: ConversationBlock): string {
  return block.kind === 'message' ? `message ${block.place}` : `${block.part} ${block.callId}`;
}

function withoutDropped(result: Result | undefined, dropped: ReadonlySet<string>): Result[] {
  if (!result) return [];
  const { kind, callId } = result;
  if (dropped.has(`text ${callId}`)) return [{ kind, callId, content: droppedText, parts: [] }];
  if (!dropped.has(`image ${callId}`)) return [result];
  return [{ kind, callId, content: `${result.content}\n${droppedImage}`, parts: [] }];
}

/**
 * The first result behind the step that made the call holds: a call has exactly one. What was written before that step
 * belongs to a stream that was thrown away, whose ids a provider may use again.
 */
function collectResults(events: readonly StoredEvent[], texts: SpilledTexts): Map<string, Result> {
  const made = new Set<string>();
  const results = new Map<string, Result>();
  for (const { event } of events) {
    if (event.kind === 'step-completed') for (const call of event.calls) made.add(call.callId);
    if (event.kind !== 'call-finished' || !made.has(event.callId) || results.has(event.callId)) continue;
    const { content, contentRef, parts } = event.result;
    const whole = wholeText(content, contentRef, texts);
    results.set(event.callId, { kind: 'result', callId: event.callId, content: whole, parts });
  }
  return results;
}

export function wholeText(text: string, ref: string | undefined, texts: SpilledTexts): string {
  return ref === undefined ? text : (texts.get(ref) ?? text);
}

/** Every ref whose text the transcript needs. */
export function spilledRefs(events: readonly StoredEvent[]): string[] {
  return events.flatMap(({ event }) => {
    if (event.kind === 'message-added') return event.textRef ?? [];
    if (event.kind === 'call-finished') return event.result.contentRef ?? [];
    if (event.kind !== 'step-completed') return [];
    return [event.textRef ?? [], ...event.calls.map((call) => call.argumentsRef ?? [])].flat();
  });
}
