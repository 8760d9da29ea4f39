import type { Database } from '@oneslot/db';
import { z } from 'zod';
import type { CallStore } from './contract.ts';

const stateColumn = z.enum(['planned', 'waiting', 'running', 'done', 'failed', 'unknown']);

/** Reads only: the rows are a projection, written with the events they follow from. */
export function createCallStore({ prisma }: Database): CallStore {
  return {
    listCalls: async (sessionId) => {
      const rows = await prisma.toolCall.findMany({ where: { sessionId }, orderBy: { plannedAt: 'asc' } });
      return rows.map(({ callId, tool, state, code, outputRef }) => ({
        callId,
        tool,
        state: stateColumn.parse(state),
        code,
        outputRef,
      }));
    },
  };
}
