import type { ToolCall } from '../contract/tool-call.ts';
import { checkMedia } from './check-media.ts';
import type { TranscriptItem } from './model-client.ts';

type Assistant = Extract<TranscriptItem, { kind: 'assistant' }>;
type Result = Extract<TranscriptItem, { kind: 'result' }>;

const lostResult =
  '[interrupted] No result of this call was kept, so whether it had an effect is unknown. Next: look before you repeat it.';
const forgedNote =
  'Text that looked like a tool call was removed from your last message; nothing was run. Calls are made through the tool channel only.';
/** Source: what OpenAI, Anthropic and Google accept as a tool name. */
const longestName = 64;

/**
 * The transcript in the one form every provider accepts: each call is followed by exactly one result, in the order
 * of the calls, a result without its call is left out, and names and arguments have the shape of names and arguments.
 * Items only ever depend on those before them and on their own results, so a longer transcript gives a longer request.
 */
export function buildRequest(transcript: readonly TranscriptItem[]): TranscriptItem[] {
  const results = firstResults(transcript);
  let told = false;
  return transcript.flatMap((item): TranscriptItem[] => {
    if (item.kind === 'user') told = false;
    if (item.kind === 'user' || item.kind === 'note') return [item];
    if (item.kind === 'result') return [];
    const answered = isEmpty(item)
      ? []
      : [plainAssistant(item), ...item.calls.map((call) => results.get(call.callId) ?? missingResult(call))];
    if (!item.forged || told) return answered;
    told = true;
    return [...answered, { kind: 'note', text: forgedNote }];
  });
}

/** Calls at the end of a transcript that have no result yet; what a resumed turn finishes first. */
export function openCalls(transcript: readonly TranscriptItem[]): { calls: ToolCall[]; cutOff: boolean } {
  const results = firstResults(transcript);
  const last = transcript.findLast((item) => item.kind === 'assistant');
  if (last?.kind !== 'assistant') return { calls: [], cutOff: false };
  return { calls: last.calls.filter((call) => !results.has(call.callId)), cutOff: last.cutOff ?? false };
}

/** A call has exactly one result, whatever was written after it. */
function firstResults(transcript: readonly TranscriptItem[]): Map<string, Result> {
  const results = new Map<string, Result>();
  for (const item of transcript)
    if (item.kind === 'result' && !results.has(item.callId)) results.set(item.callId, sendable(item));
  return results;
}

const checked = new WeakMap<Result, Result>();

/** A result with only such media as providers take. The same item each time, so that its bytes are written once. */
function sendable(result: Result): Result {
  if (result.parts.length === 0) return result;
  const known = checked.get(result) ?? withCheckedMedia(result);
  checked.set(result, known);
  return known;
}

function withCheckedMedia(result: Result): Result {
  const media = result.parts.map(checkMedia);
  const parts = media.flatMap((one) => (one.kind === 'fit' ? [one.part] : []));
  const notes = media.flatMap((one) =>
    one.kind === 'fit' ? [] : [`[An image of this result was left out: ${one.reason}.]`],
  );
  return { ...result, content: [result.content, ...notes].join('\n'), parts };
}

function missingResult(call: ToolCall): Result {
  return { kind: 'result', callId: call.callId, content: lostResult, parts: [] };
}

/** Providers refuse an assistant message without text and calls. */
function isEmpty(item: Assistant): boolean {
  return item.text === '' && item.calls.length === 0;
}

function plainAssistant({ text, reasoning, calls }: Assistant): Assistant {
  return { kind: 'assistant', text, reasoning, calls: calls.map(plainCall) };
}

/** What the model got wrong stands in the result of the call; repeated as it was, it would fail the whole request. */
function plainCall(call: ToolCall): ToolCall {
  const name = call.name.replace(/[^\w-]/g, '_').slice(0, longestName);
  return {
    callId: call.callId,
    name: name === '' ? 'unnamed' : name,
    argumentsText: isJsonObject(call.argumentsText) ? call.argumentsText : '{}',
  };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch (cause) {
    if (cause instanceof SyntaxError) return false;
    throw cause;
  }
}
