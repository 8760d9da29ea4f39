import type { SessionEvent } from '@oneslot/core';

/** A row of the log takes 64 KiB; the margin is for what the log itself puts around a payload. */
const limitBytes = 60_000;
/** What stays in the row of a text that moved to an envelope: enough to show. */
const headChars = 4_000;
const reasoningChars = 16_000;

/** Stores one text whole and answers with its ref. */
export type Spill = (text: string, what: { callId: string; tool: string; untrusted: boolean }) => Promise<string>;

/**
 * Texts the conversation is rebuilt from never lose a byte: what does not fit its row moves to an envelope.
 * Everything else in a row is for people, and there a cut with a mark is enough.
 */
export async function fitEvent(event: SessionEvent, spill: Spill): Promise<SessionEvent> {
  if (fits(event)) return event;
  if (event.kind === 'message-added') {
    const textRef = await spill(event.text, { callId: event.messageId, tool: 'message', untrusted: false });
    return { ...event, text: cutText(event.text, headChars), textRef };
  }
  if (event.kind === 'step-completed') return fitStep(event, spill);
  if (event.kind === 'call-finished') return fitResult(event, spill);
  return trimEvent(event);
}

type CallFinished = Extract<SessionEvent, { kind: 'call-finished' }>;

/** Data is for the page and goes first; what the model read must come back whole. */
async function fitResult(event: CallFinished, spill: Spill): Promise<SessionEvent> {
  const trimmed = trimResult(event);
  if (fits(trimmed)) return trimmed;
  const { result } = trimmed;
  const { callId } = event;
  const contentRef = await spill(result.content, { callId, tool: 'result', untrusted: result.untrusted });
  return { ...trimmed, result: { ...result, content: cutText(result.content, headChars), contentRef } };
}

type StepCompleted = Extract<SessionEvent, { kind: 'step-completed' }>;

async function fitStep(event: StepCompleted, spill: Spill): Promise<StepCompleted> {
  const calls = await Promise.all(
    event.calls.map(async (call) => {
      if (call.argumentsText.length <= headChars) return call;
      const argumentsRef = await spill(call.argumentsText, { callId: call.callId, tool: call.name, untrusted: false });
      return { ...call, argumentsText: cutText(call.argumentsText, headChars / 8), argumentsRef };
    }),
  );
  const fitted = { ...event, calls, reasoning: cutText(event.reasoning, reasoningChars) };
  if (fits(fitted)) return fitted;
  const textRef = await spill(event.text, { callId: `step_${event.step}`, tool: 'answer', untrusted: false });
  return { ...fitted, text: cutText(event.text, headChars), textRef };
}

/** Cuts what only people look at until the event fits; the result of a call keeps its text and loses its data first. */
export function trimEvent(event: SessionEvent): SessionEvent {
  if (fits(event)) return event;
  if (event.kind === 'call-finished') return trimResult(event);
  for (const chars of [4_000, 1_000, 200]) {
    const trimmed = cutStrings(event, chars);
    if (fits(trimmed)) return trimmed;
  }
  return event;
}

function trimResult(event: CallFinished): CallFinished {
  const { result } = event;
  const slim: CallFinished = { ...event, result: { ...result, data: cutStrings(result.data, 1_000) } };
  if (fits(slim)) return slim;
  const bare = { ...slim, result: { ...slim.result, data: { cut: true } } };
  if (fits(bare)) return bare;
  const warning = 'Images of this result were too large to keep; they are not there after a restart.';
  return { ...bare, result: { ...bare.result, parts: [], warnings: [...result.warnings, warning] } };
}

function fits(event: SessionEvent): boolean {
  return Buffer.byteLength(JSON.stringify(event)) <= limitBytes;
}

function cutStrings<T>(value: T, chars: number): T;
function cutStrings(value: unknown, chars: number): unknown {
  if (typeof value === 'string') return cutText(value, chars);
  if (Array.isArray(value)) return value.map((item) => cutStrings(item, chars));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutStrings(item, chars)]));
}

function cutText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  // Half of a surrogate pair would not survive being stored.
  const end = /[\uD800-\uDBFF]/.test(text[chars - 1] ?? '') ? chars - 1 : chars;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
