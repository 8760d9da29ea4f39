import type { ErrorCode, SessionEvent, StoredEvent } from '@oneslot/core';

type ToolResult = Extract<SessionEvent, { kind: 'call-finished' }>['result'];

/**
 * What must be written before an interrupted turn goes on. A call that started and has no end is *unknown*: it is
 * never run again silently. Calls that were only planned or wait for a person stay open, the turn finishes them;
 * a step whose stream broke off is void, with whatever was started early out of it.
 */
export function closeOpenCalls(events: readonly StoredEvent[]): SessionEvent[] {
  const log = readCalls(events);
  const closing: SessionEvent[] = [];
  for (const [callId, call] of log.calls) {
    if (call.finished) continue;
    // A question is asked again by finding its row: asking had no effect, and the answer may be there already.
    const waits = call.inStep && (call.asked || !call.started);
    if (!waits) closing.push({ kind: 'call-finished', callId, result: interruptedResult(callId) });
  }
  if (log.openStep !== null) closing.push({ kind: 'step-discarded', step: log.openStep, reason: restarted });
  return closing;
}

const restarted = 'The runner was restarted while the model was answering.';

function interruptedResult(callId: string): ToolResult {
  const content =
    '[interrupted] The runner died while this call ran. Whether it had an effect is unknown, and it was not run again. ' +
    'Next: look at what it would have changed before you repeat it.';
  return voidResult(callId, 'interrupted', content);
}

/** A call without a real end: no data, nothing stored. */
export function voidResult(callId: string, code: ErrorCode, content: string): ToolResult {
  const nothing = { parts: [], warnings: [], truncated: false, outputRef: null, untrusted: false, tookMs: 0 };
  return { callId, ok: false, code, content, ...nothing };
}

type CallState = { inStep: boolean; started: boolean; asked: boolean; finished: boolean };

/** Calls that were planned or started and what became of them; those of a step that was thrown away are forgotten. */
function readCalls(events: readonly StoredEvent[]): { calls: Map<string, CallState>; openStep: number | null } {
  const calls = new Map<string, CallState>();
  let openStep: number | null = null;
  const note = (callId: string, change: Partial<CallState>) => {
    const known = calls.get(callId) ?? { inStep: false, started: false, asked: false, finished: false };
    calls.set(callId, { ...known, ...change });
  };
  for (const { event } of events) {
    if (event.kind === 'call-planned') note(event.callId, {});
    else if (event.kind === 'call-started') note(event.callId, { started: true });
    else if (event.kind === 'question-asked') note(event.callId, { asked: true });
    else if (event.kind === 'call-finished') note(event.callId, { finished: true });
    else if (event.kind === 'step-started') openStep = event.step;
    else if (event.kind === 'step-completed') {
      openStep = null;
      for (const call of event.calls) note(call.callId, { inStep: true });
    } else if (event.kind === 'step-discarded') {
      openStep = null;
      for (const [callId, call] of calls) if (!call.inStep) calls.delete(callId);
    }
  }
  return { calls, openStep };
}
