import type { Database } from '@oneslot/db';
import { z } from 'zod';
import type { TurnStore } from './contract.ts';

const statusColumn = z.enum(['running', 'completed', 'stopped', 'failed', 'halted']);

export function createTurnStore({ prisma }: Database): TurnStore {
  return {
    createTurn: async (row) => {
      await prisma.turn.create({ data: row });
    },
    finishTurn: async (turnId, status, reason) => {
      await prisma.turn.updateMany({
        where: { id: turnId, status: 'running' },
        data: { status, reason, finishedAt: new Date() },
      });
    },
    openTurn: async (sessionId) => {
      const row = await prisma.turn.findFirst({
        where: { sessionId, status: 'running' },
        orderBy: { startedAt: 'desc' },
      });
      return row && { ...row, status: statusColumn.parse(row.status) };
    },
  };
}
