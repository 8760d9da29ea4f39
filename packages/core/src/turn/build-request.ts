import type { ToolCall } from '../contract/tool-call.ts';
import type { TranscriptItem } from './model-client.ts';

export const lostResult =
  '[interrupted] No result of this call was kept. Whether it had an effect is unknown. Next: look before you repeat it.';

/**
 * The transcript in the one form every provider accepts: each call is followed by exactly one result, in the order
 * of the calls; a result without its call is left out; nothing stands between calls and their results.
 */
export function buildRequest(transcript: readonly TranscriptItem[]): TranscriptItem[] {
  const results = new Map<string, Extract<TranscriptItem, { kind: 'result' }>>();
  for (const item of transcript)
    if (item.kind === 'result' && !results.has(item.callId)) results.set(item.callId, item);
  return transcript.flatMap((item): TranscriptItem[] => {
    if (item.kind === 'result') return [];
    if (item.kind !== 'assistant') return [item];
    const answered = item.calls.map((call) => results.get(call.callId) ?? missingResult(call));
    return isEmpty(item) ? [] : [item, ...answered];
  });
}

/** Calls at the end of a transcript that have no result yet; what a resumed turn finishes first. */
export function openCalls(transcript: readonly TranscriptItem[]): ToolCall[] {
  const answered = new Set(transcript.flatMap((item) => (item.kind === 'result' ? [item.callId] : [])));
  const last = transcript.findLast((item) => item.kind === 'assistant');
  return last?.kind === 'assistant' ? last.calls.filter((call) => !answered.has(call.callId)) : [];
}

function missingResult(call: ToolCall): TranscriptItem {
  return { kind: 'result', callId: call.callId, content: lostResult, parts: [] };
}

/** Providers refuse an assistant message without text and calls. */
function isEmpty(item: Extract<TranscriptItem, { kind: 'assistant' }>): boolean {
  return item.text === '' && item.calls.length === 0;
}
