import type { Database } from '@oneslot/db';
import type { SandboxStore } from './contract.ts';

export function createSandboxStore({ prisma }: Database): SandboxStore {
  return {
    findSandbox: (sessionId) => prisma.sandbox.findUnique({ where: { sessionId } }),
    saveSandbox: (row) => prisma.sandbox.upsert({ where: { sessionId: row.sessionId }, create: row, update: row }),
    removeSandbox: async (sessionId) => {
      await prisma.sandbox.deleteMany({ where: { sessionId } });
    },
    listSandboxes: () => prisma.sandbox.findMany({ orderBy: { createdAt: 'asc' } }),
  };
}
