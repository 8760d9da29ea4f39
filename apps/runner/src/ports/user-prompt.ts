import { ToolError, type UserPrompt } from '@oneslot/core';
import type { EventLog } from '../sessions/event-log.ts';
import type { SessionLog } from '../sessions/session-log.ts';
import type { QuestionStore } from '../store/contract.ts';
import { waitForRow } from './wait-for-row.ts';

export type PromptDeps = {
  questions: QuestionStore;
  log: EventLog;
  own: SessionLog;
  session: { id: string; organizationId: string };
  announced: Set<string>;
  onWaiting(waiting: number): void;
};

/** Asks through a row, as approvals do: a restart finds the question, and the answer if it is there already. */
export function createUserPrompt(deps: PromptDeps, callId: string): UserPrompt {
  const { id: sessionId, organizationId } = deps.session;
  return {
    async ask(questions, signal) {
      const row = await deps.questions.openQuestion({ sessionId, organizationId, callId, questions });
      if (row.answers) return row.answers;
      if (!deps.announced.has(callId)) {
        await deps.own.append([{ kind: 'question-asked', callId, questions: questions.map((q) => ({ ...q })) }]);
        deps.announced.add(callId);
      }
      deps.onWaiting(1);
      const look = async () => (await deps.questions.findQuestion(sessionId, callId))?.answers ?? null;
      const answers = await waitForRow({ log: deps.log, sessionId, signal }, look).finally(() => deps.onWaiting(0));
      if (answers && !signal.aborted) return answers;
      if (deps.own.open) await deps.questions.cancelQuestion(sessionId, callId);
      throw new ToolError('cancelled', 'The turn was stopped while it waited for an answer.');
    },
  };
}
