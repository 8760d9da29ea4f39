import type { Answer, Question } from '@oneslot/core';
import type { Database } from '@oneslot/db';
import { z } from 'zod';
import type { QuestionRow, QuestionStore } from './contract.ts';

type Row = {
  sessionId: string;
  organizationId: string;
  callId: string;
  questions: unknown;
  answers: unknown;
  state: string;
};

const fields = '"sessionId", "organizationId", "callId", questions, answers, state';

// Plain SQL: the rows hold JSON verbatim, and opening is an insert that leaves an existing row alone.
export function createQuestionStore({ pool }: Database): QuestionStore {
  async function findQuestion(sessionId: string, callId: string): Promise<QuestionRow | null> {
    const { rows } = await pool.query<Row>(
      `SELECT ${fields} FROM "Question" WHERE "sessionId" = $1 AND "callId" = $2`,
      [sessionId, callId],
    );
    return rows[0] ? toRow(rows[0]) : null;
  }
  return {
    findQuestion,
    openQuestion: async ({ sessionId, organizationId, callId, questions }) => {
      await pool.query(
        `INSERT INTO "Question" ("sessionId", "organizationId", "callId", questions) VALUES ($1, $2, $3, $4)
         ON CONFLICT ("sessionId", "callId") DO NOTHING`,
        [sessionId, organizationId, callId, JSON.stringify(questions)],
      );
      const row = await findQuestion(sessionId, callId);
      if (!row) throw new Error(`The question of call ${callId} vanished right after it was stored.`);
      return row;
    },
    answerQuestion: async (sessionId, callId, answers) => {
      const { rowCount } = await pool.query(
        `UPDATE "Question" SET state = 'answered', answers = $3, "answeredAt" = now()
         WHERE "sessionId" = $1 AND "callId" = $2 AND state = 'open'`,
        [sessionId, callId, JSON.stringify(answers)],
      );
      return rowCount === 1;
    },
    cancelQuestion: async (sessionId, callId) => {
      await pool.query(
        `UPDATE "Question" SET state = 'cancelled' WHERE "sessionId" = $1 AND "callId" = $2 AND state = 'open'`,
        [sessionId, callId],
      );
    },
  };
}

const stateColumn = z.enum(['open', 'answered', 'cancelled']);
const questionsColumn = z.custom<Question[]>(Array.isArray);
const answersColumn = z.custom<Answer[]>(Array.isArray).nullable();

function toRow(row: Row): QuestionRow {
  return {
    sessionId: row.sessionId,
    organizationId: row.organizationId,
    callId: row.callId,
    questions: questionsColumn.parse(row.questions),
    answers: answersColumn.parse(row.answers),
    state: stateColumn.parse(row.state),
  };
}
