import type { Database } from '@oneslot/db';
import { z } from 'zod';
import type { TurnStore } from './contract.ts';

const statusColumn = z.enum(['running', 'completed', 'stopped', 'failed', 'halted']);

export function createTurnStore({ prisma, pool }: Database): TurnStore {
  return {
    createTurn: async (row) => {
      await prisma.turn.create({ data: row });
    },
    finishTurn: async (turnId, { at, ...end }) => {
      await prisma.turn.updateMany({
        where: { id: turnId, status: 'running' },
        data: { ...end, finishedAt: at },
      });
    },
    openTurn: async (sessionId) => {
      const row = await prisma.turn.findFirst({
        where: { sessionId, status: 'running' },
        orderBy: { startedAt: 'desc' },
      });
      return row && { ...row, status: statusColumn.parse(row.status) };
    },
    requestStop: async (sessionId) => {
      const { rowCount } = await pool.query(
        `UPDATE "Turn" SET "stopRequestedAt" = COALESCE("stopRequestedAt", now()) WHERE "sessionId" = $1 AND status = 'running'`,
        [sessionId],
      );
      return rowCount !== 0;
    },
    stopRequested: async (turnId) => {
      const { rowCount } = await pool.query('SELECT 1 FROM "Turn" WHERE id = $1 AND "stopRequestedAt" IS NOT NULL', [
        turnId,
      ]);
      return rowCount !== 0;
    },
  };
}
