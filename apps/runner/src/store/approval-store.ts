import type { JsonObject } from '@oneslot/core';
import type { Database } from '@oneslot/db';
import { z } from 'zod';
import type { ApprovalRow, ApprovalStore, Caller, DecideRequest, PendingApproval } from './contract.ts';
import { answerableParameters, answerableSql, visibleSql } from './visible-to.ts';

const columns = `a.id, a."organizationId", a."sessionId", a."callId", a.tool, a.title, a.level, a.reason, a.digest, a."canonicalText",
  a.input, a."scopeFingerprint", a."scopeWords", a."scopeExamples", a."requestedById", a.state, a.scope, a."decidedById",
  a."decidedReason", a."decidedInput", a.deadline, a."createdAt"`;

export function createApprovalStore({ pool }: Database): ApprovalStore {
  return {
    openApproval: async ({ organizationId, sessionId, requestedById, request, deadline }) => {
      const { callId, subject, title, level, reason, digest, canonicalText, sessionScope } = request;
      // A row that was reopened for other bytes counts again when the bytes are back to what they were.
      await pool.query(
        `INSERT INTO "Approval" AS a (id, "organizationId", "sessionId", "callId", tool, title, level, reason, digest, "canonicalText",
           input, "scopeFingerprint", "scopeWords", "scopeExamples", "requestedById", deadline)
         VALUES (gen_random_uuid()::text, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
         ON CONFLICT ("sessionId", "callId", digest) DO UPDATE SET state = 'pending', deadline = EXCLUDED.deadline
         WHERE a.state = 'reopened'`,
        [
          organizationId,
          sessionId,
          callId,
          subject.tool,
          title,
          level,
          reason,
          digest,
          canonicalText,
          JSON.stringify(subject.input),
          sessionScope?.fingerprint ?? null,
          sessionScope?.words ?? null,
          sessionScope?.examples ?? [],
          requestedById,
          deadline,
        ],
      );
      const { rows } = await pool.query(
        `SELECT ${columns} FROM "Approval" a WHERE a."sessionId" = $1 AND a."callId" = $2 AND a.digest = $3`,
        [sessionId, callId, digest],
      );
      return approvalRow.parse(rows[0]);
    },
    decideApproval: (caller, request, now) => decide(pool, caller, request, now),
    findApproval: async (sessionId, callId) => {
      const { rows } = await pool.query(
        `SELECT ${columns} FROM "Approval" a WHERE a."sessionId" = $1 AND a."callId" = $2
         ORDER BY (a.state = 'reopened'), a."createdAt" DESC LIMIT 1`,
        [sessionId, callId],
      );
      return rows[0] ? approvalRow.parse(rows[0]) : null;
    },
    listPending: async (caller) => {
      const { rows } = await pool.query(
        `SELECT ${columns}, CASE WHEN ${visibleSql} THEN s.title END AS "sessionTitle", u.name AS "requesterName"
         FROM "Session" s, "Approval" a LEFT JOIN "user" u ON u.id = a."requestedById"
         WHERE ${answerableSql} AND a.state = 'pending' ORDER BY a."createdAt", a.id LIMIT 200`,
        answerableParameters(caller),
      );
      return rows.map((row) => toPending(pendingRow.parse(row)));
    },
    expireApprovals: async (now) => {
      const { rows } = await pool.query(
        `UPDATE "Approval" a SET state = 'expired', "decidedAt" = $1 WHERE a.state = 'pending' AND a.deadline <= $1 RETURNING ${columns}`,
        [now],
      );
      return rows.map((row) => approvalRow.parse(row));
    },
    cancelApprovals: async (sessionId, { callId, to }) => {
      const { rows } = await pool.query(
        `UPDATE "Approval" a SET state = $3, "decidedAt" = now()
         WHERE a."sessionId" = $1 AND a.state = 'pending' AND ($2::text IS NULL OR a."callId" = $2) RETURNING ${columns}`,
        [sessionId, callId ?? null, to],
      );
      return rows.map((row) => approvalRow.parse(row));
    },
  };
}

const stateAfter = { approve_once: 'approved', approve_session: 'approved', deny: 'denied', edit: 'edited' } as const;

/** However many people answer in the same moment, one UPDATE finds the row pending. */
async function decide(pool: Database['pool'], caller: Caller, request: DecideRequest, now: Date) {
  const { approvalId, digest, decision } = request;
  const scope = decision === 'approve_once' ? 'once' : decision === 'approve_session' ? 'session' : null;
  const { rows } = await pool.query(
    `UPDATE "Approval" a SET state = $7, scope = $8, "decidedById" = $2, "decidedReason" = $9, "decidedInput" = $10, "decidedAt" = $6
     FROM "Session" s
     WHERE ${answerableSql} AND a.id = $4 AND a.digest = $5 AND a.state = 'pending' AND a.deadline > $6
       AND ($8::text IS DISTINCT FROM 'session' OR a."scopeFingerprint" IS NOT NULL)
     RETURNING ${columns}`,
    [
      ...answerableParameters(caller),
      approvalId,
      digest,
      now,
      stateAfter[decision],
      scope,
      request.reason ?? null,
      request.input ? JSON.stringify(request.input) : null,
    ],
  );
  if (rows[0]) return { decided: true, row: approvalRow.parse(rows[0]) };
  const current = await pool.query(
    `SELECT ${columns} FROM "Approval" a, "Session" s WHERE ${answerableSql} AND a.id = $4`,
    [...answerableParameters(caller), approvalId],
  );
  return current.rows[0] ? { decided: false, row: approvalRow.parse(current.rows[0]) } : null;
}

const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
const approvalRow: z.ZodType<ApprovalRow> = z.object({
  id: z.string(),
  organizationId: z.string(),
  sessionId: z.string(),
  callId: z.string(),
  tool: z.string(),
  title: z.string(),
  level: z.string(),
  reason: z.string(),
  digest: z.string(),
  canonicalText: z.string(),
  input: jsonObject,
  scopeFingerprint: z.string().nullable(),
  scopeWords: z.string().nullable(),
  scopeExamples: z.array(z.string()),
  requestedById: z.string(),
  state: z.enum(['pending', 'approved', 'edited', 'denied', 'expired', 'cancelled', 'reopened']),
  scope: z.enum(['once', 'session']).nullable(),
  decidedById: z.string().nullable(),
  decidedReason: z.string().nullable(),
  decidedInput: jsonObject.nullable(),
  deadline: z.date(),
  createdAt: z.date(),
});
const pendingRow = z.intersection(
  approvalRow,
  z.object({ sessionTitle: z.string().nullable(), requesterName: z.string().nullable() }),
);

function toPending(row: z.infer<typeof pendingRow>): PendingApproval {
  const { id, sessionId, sessionTitle, callId, tool, title, level, reason, digest, canonicalText, input } = row;
  const { scopeWords, scopeExamples, createdAt, deadline } = row;
  const requestedBy = { id: row.requestedById, name: row.requesterName ?? 'Former member' };
  return {
    id,
    sessionId,
    sessionTitle,
    callId,
    tool,
    title,
    level,
    reason,
    digest,
    canonicalText,
    input,
    scopeWords,
    scopeExamples,
    requestedBy,
    createdAt,
    deadline,
  };
}
