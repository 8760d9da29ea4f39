import type { Answer, SessionEvent, StoredEvent } from '@oneslot/core';
import { expect, test } from 'vitest';
import type { ApprovalRow, QuestionRow, Stores } from '../store/contract.ts';
import { missedAnswers } from './missed-answers.ts';

const log = (...events: SessionEvent[]): StoredEvent[] =>
  events.map((event, index) => ({ sessionId: 's', seq: index + 1, at: 0, event }));
const asked = (callId: string): SessionEvent => ({ kind: 'question-asked', callId, questions: [] });
const required = (callId: string): SessionEvent => ({
  kind: 'approval-required',
  approvalId: `a-${callId}`,
  callId,
  tool: 't',
  title: 't',
  level: 'required',
  reason: '',
  digest: 'd',
  canonicalText: '{}',
  input: {},
  scopeWords: null,
  scopeExamples: [],
  deadline: 0,
});
const answers: Answer[] = [{ id: 'q', labels: [], freeText: 'yes', answeredBy: 'ana', answeredAt: 1 }];

/** Rows as they stand in the database, each found by its call. */
function rows(states: Record<string, ApprovalRow['state']>, answered: readonly string[] = []) {
  const approval = (callId: string) =>
    ({
      id: `a-${callId}`,
      callId,
      state: states[callId],
      scope: null,
      decidedById: 'bo',
      decidedReason: null,
    }) as ApprovalRow;
  const question = (callId: string) => ({ callId, answers: answered.includes(callId) ? answers : null }) as QuestionRow;
  return {
    approvals: { findApproval: async (_session: string, callId: string) => approval(callId) },
    questions: { findQuestion: async (_session: string, callId: string) => question(callId) },
  } as unknown as Pick<Stores, 'approvals' | 'questions'>;
}

test('closed rows without an event get theirs, each state its own; open ones and known ones get none', async () => {
  const known: SessionEvent = {
    kind: 'approval-decided',
    approvalId: 'a-known',
    callId: 'known',
    decision: 'approved',
    scope: 'once',
    by: 'bo',
    reason: null,
  };
  const calls = ['known', 'open', 'denied', 'expired', 'edited'].map(required);
  const stored = rows({ known: 'approved', open: 'pending', denied: 'denied', expired: 'expired', edited: 'edited' });
  const events = await missedAnswers(log(...calls, known), stored);
  expect(events.map((event) => event.kind === 'approval-decided' && [event.callId, event.decision, event.by])).toEqual([
    ['denied', 'denied', 'bo'],
    ['expired', 'expired', 'bo'],
    ['edited', 'edited', 'bo'],
  ]);
});

test('so do questions', async () => {
  const events = await missedAnswers(log(asked('a'), asked('b')), rows({}, ['b']));
  expect(events).toEqual([{ kind: 'question-answered', callId: 'b', answers }]);
  expect(await missedAnswers(log(...events), rows({}, ['b']))).toEqual([]);
});
