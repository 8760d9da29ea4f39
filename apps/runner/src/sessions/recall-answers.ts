import { digestOf, type LastAnswers, type StoredEvent } from '@oneslot/core';

/**
 * What the model was last shown for each input, from the log alone. Whatever was taken out of the conversation since
 * is not in front of it any more, so from there on everything is told in full.
 */
export function recallAnswers(events: readonly StoredEvent[], tellsUnchanged: (tool: string) => boolean): LastAnswers {
  const answers: LastAnswers = new Map();
  const inputs = new Map<string, string>();
  for (const { event } of events) {
    if (event.kind === 'call-planned' && event.tool !== null && tellsUnchanged(event.tool))
      inputs.set(event.callId, event.inputDigest);
    if (event.kind === 'compacted' && event.droppedItems > 0) answers.clear();
    if (event.kind !== 'call-finished' || !event.result.ok || event.result.contentRef !== undefined) continue;
    const input = inputs.get(event.callId);
    const { callId, content } = event.result;
    // An answer that only said so is no answer to point at.
    if (input === undefined || content.startsWith('unchanged since last read: ')) continue;
    answers.set(input, { callId, contentDigest: digestOf(content) });
  }
  return answers;
}
