import type { SessionEvent, StoredEvent } from '@oneslot/core';
import type { Stores } from '../store/contract.ts';
import { decidedEvent } from './decided-event.ts';

/**
 * An answer is a row first and an event second, so a crash between the two leaves one that the log does not know; the
 * turn would go on and nobody could read who allowed it. Answers with the events that are missing.
 */
export async function missedAnswers(
  events: readonly StoredEvent[],
  stores: Pick<Stores, 'approvals' | 'questions'>,
): Promise<SessionEvent[]> {
  const { approvals, questions } = openRequests(events);
  const decided = approvals.map(async ({ sessionId, callId, approvalId, told }) => {
    const row = await stores.approvals.findApproval(sessionId, callId);
    return row?.id === approvalId && row.state !== told ? decidedEvent(row) : null;
  });
  const answered = questions.map(async ({ sessionId, callId }): Promise<SessionEvent | null> => {
    const row = await stores.questions.findQuestion(sessionId, callId);
    return row?.answers ? { kind: 'question-answered', callId, answers: row.answers } : null;
  });
  return (await Promise.all([...decided, ...answered])).filter((event) => event !== null);
}

/** What people were asked and the log knows no answer to. */
function openRequests(events: readonly StoredEvent[]) {
  const approvals = new Map<string, { sessionId: string; callId: string; approvalId: string; told: string | null }>();
  const questions = new Map<string, { sessionId: string; callId: string }>();
  for (const { sessionId, event } of events) {
    if (event.kind === 'approval-required') {
      const { callId, approvalId } = event;
      approvals.set(approvalId, { sessionId, callId, approvalId, told: null });
    }
    if (event.kind === 'approval-decided') {
      const { decision: told, callId, approvalId } = event;
      // One that was reopened may be asked again under its id, and answered again.
      if (told === 'reopened') approvals.set(approvalId, { sessionId, callId, approvalId, told });
      else approvals.delete(approvalId);
    }
    if (event.kind === 'question-asked') questions.set(event.callId, { sessionId, callId: event.callId });
    if (event.kind === 'question-answered' || event.kind === 'call-finished') questions.delete(event.callId);
  }
  return { approvals: [...approvals.values()], questions: [...questions.values()] };
}
