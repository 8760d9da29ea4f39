import type { Database } from '@oneslot/db';
import type { MessageStore } from './contract.ts';

export function createMessageStore({ pool, prisma }: Database): MessageStore {
  return {
    queueMessage: async ({ messageId, sessionId, organizationId, text, by }) => {
      const { rowCount } = await pool.query(
        `INSERT INTO "Message" (id, "sessionId", "organizationId", text, "byId") VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT ("sessionId", id) DO NOTHING`,
        [messageId, sessionId, organizationId, text, by],
      );
      return rowCount === 1;
    },
    takeMessages: async (sessionId, { epoch, limit } = {}) => {
      const { rows } = await pool.query<{ messageId: string; text: string; by: string; position: number }>(
        `UPDATE "Message" SET state = 'taken', "takenAt" = now()
         WHERE "sessionId" = $1 AND id IN (
           SELECT m.id FROM "Message" m JOIN "Session" s ON s.id = m."sessionId"
           WHERE m."sessionId" = $1 AND m.state = 'queued' AND ($2::int IS NULL OR s."leaseEpoch" = $2::int)
           ORDER BY m.position LIMIT $3 FOR UPDATE OF m)
         RETURNING id AS "messageId", text, "byId" AS by, position`,
        [sessionId, epoch ?? null, limit ?? null],
      );
      return rows.sort((a, b) => a.position - b.position).map(({ messageId, text, by }) => ({ messageId, text, by }));
    },
    listQueued: async (sessionId) => {
      const rows = await prisma.message.findMany({
        where: { sessionId, state: 'queued' },
        orderBy: { position: 'asc' },
      });
      return rows.map((row) => ({ messageId: row.id, text: row.text, by: row.byId }));
    },
    unqueueMessage: async (sessionId, messageId) => {
      const { count } = await prisma.message.updateMany({
        where: { sessionId, id: messageId, state: 'queued' },
        data: { state: 'removed' },
      });
      return count === 1;
    },
  };
}
