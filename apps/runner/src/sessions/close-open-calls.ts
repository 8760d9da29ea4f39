import type { SessionEvent, StoredEvent } from '@oneslot/core';

/**
 * What must be written before an interrupted turn goes on. A call that started and has no end is *unknown*: it is
 * never run again silently. Calls that were only planned or wait for a person stay open, the turn finishes them;
 * a step whose stream broke off is void, with whatever was started early out of it.
 */
export function closeOpenCalls(events: readonly StoredEvent[]): SessionEvent[] {
  const log = readCalls(events);
  const closing: SessionEvent[] = [];
  if (log.openStep !== null) closing.push({ kind: 'step-discarded', step: log.openStep, reason: restarted });
  for (const callId of log.started) {
    if (log.finished.has(callId)) continue;
    // A question is asked again by finding its row: asking had no effect, and the answer may be there already.
    if (log.asked.has(callId) && log.inSteps.has(callId)) continue;
    closing.push(interrupted(callId));
  }
  for (const callId of log.planned) {
    if (log.finished.has(callId) || log.started.has(callId) || log.inSteps.has(callId)) continue;
    closing.push(interrupted(callId));
  }
  return closing;
}

const restarted = 'The runner was restarted while the model was answering.';

function interrupted(callId: string): SessionEvent {
  const content =
    '[interrupted] The runner died while this call ran. Whether it had an effect is unknown, and it was not run again. ' +
    'Next: look at what it would have changed before you repeat it.';
  return {
    kind: 'call-finished',
    callId,
    result: {
      callId,
      ok: false,
      code: 'interrupted',
      content,
      parts: [],
      warnings: [],
      truncated: false,
      outputRef: null,
      untrusted: false,
      tookMs: 0,
    },
  };
}

function readCalls(events: readonly StoredEvent[]) {
  const planned = new Set<string>();
  const started = new Set<string>();
  const finished = new Set<string>();
  const asked = new Set<string>();
  const inSteps = new Set<string>();
  let openStep: number | null = null;
  for (const { event } of events) {
    if (event.kind === 'call-planned') planned.add(event.callId);
    else if (event.kind === 'call-started') started.add(event.callId);
    else if (event.kind === 'call-finished') finished.add(event.callId);
    else if (event.kind === 'question-asked') asked.add(event.callId);
    else if (event.kind === 'step-started') openStep = event.step;
    else if (event.kind === 'step-discarded') openStep = null;
    else if (event.kind === 'step-completed') {
      openStep = null;
      for (const call of event.calls) inSteps.add(call.callId);
    }
  }
  return { planned, started, finished, asked, inSteps, openStep };
}
