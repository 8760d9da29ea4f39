import type { Database } from '@oneslot/db';
import type { SessionStore } from './contract.ts';

/** Three heartbeats of 5 s: one may be late without costing the lease. */
export const leaseMs = 15_000;

type LeaseStore = Pick<
  SessionStore,
  'takeLease' | 'renewLease' | 'releaseLease' | 'leaseOf' | 'clearLeases' | 'sessionsWithWork'
>;

/** One statement each: two runners that ask in the same moment get one yes. */
export function createLeaseStore({ pool }: Database): LeaseStore {
  return {
    takeLease: async (sessionId, runnerId, now) => {
      const { rows } = await pool.query<{ epoch: number }>(
        `UPDATE "Session" SET "leaseRunner" = $2, "leaseEpoch" = "leaseEpoch" + 1, "leaseExpiresAt" = $3
         WHERE id = $1 AND ("leaseRunner" IS NULL OR "leaseExpiresAt" <= $4) RETURNING "leaseEpoch" AS epoch`,
        [sessionId, runnerId, new Date(now.getTime() + leaseMs), now],
      );
      return rows[0] ?? null;
    },
    renewLease: async (sessionId, runnerId, epoch, now) => {
      const { rowCount } = await pool.query(
        `UPDATE "Session" SET "leaseExpiresAt" = $4 WHERE id = $1 AND "leaseRunner" = $2 AND "leaseEpoch" = $3`,
        [sessionId, runnerId, epoch, new Date(now.getTime() + leaseMs)],
      );
      return rowCount === 1;
    },
    releaseLease: async (sessionId, runnerId, epoch) => {
      const { rowCount } = await pool.query(
        `UPDATE "Session" SET "leaseRunner" = NULL, "leaseExpiresAt" = NULL
         WHERE id = $1 AND "leaseRunner" = $2 AND "leaseEpoch" = $3`,
        [sessionId, runnerId, epoch],
      );
      return rowCount === 1;
    },
    leaseOf: async (sessionId, runnerId, now) => {
      const { rows } = await pool.query<{ epoch: number; isElsewhere: boolean }>(
        `SELECT "leaseEpoch" AS epoch, COALESCE("leaseRunner" <> $2 AND "leaseExpiresAt" > $3, false) AS "isElsewhere"
         FROM "Session" WHERE id = $1`,
        [sessionId, runnerId, now],
      );
      return rows[0] ?? null;
    },
    clearLeases: async () => {
      await pool.query(
        'UPDATE "Session" SET "leaseRunner" = NULL, "leaseExpiresAt" = NULL WHERE "leaseRunner" IS NOT NULL',
      );
    },
    sessionsWithWork: async (now) => {
      const { rows } = await pool.query<{ id: string }>(
        `SELECT s.id FROM "Session" s WHERE (s."leaseRunner" IS NULL OR s."leaseExpiresAt" <= $1)
         AND (EXISTS (SELECT 1 FROM "Message" m WHERE m."sessionId" = s.id AND m.state = 'queued')
           OR EXISTS (SELECT 1 FROM "Turn" t WHERE t."sessionId" = s.id AND t.status = 'running'))`,
        [now],
      );
      return rows.map((row) => row.id);
    },
  };
}
