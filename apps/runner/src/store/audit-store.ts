import type { Database } from '@oneslot/db';
import type { AuditStore } from './contract.ts';

export function createAuditStore({ prisma }: Database): AuditStore {
  return {
    record: async ({ detail, ...row }) => {
      await prisma.auditEvent.create({ data: { ...row, detail: detail ?? {} }, select: { id: true } });
    },
  };
}
