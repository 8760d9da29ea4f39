import type { Database } from '@oneslot/db';
import { z } from 'zod';
import type { GrantStore } from './contract.ts';

const kindColumn = z.enum(['grant', 'denial']);

export function createGrantStore({ prisma }: Database): GrantStore {
  return {
    listGrants: async (sessionId, now, kind) => {
      const rows = await prisma.grant.findMany({
        where: { sessionId, ...(kind && { kind }), OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
        orderBy: { createdAt: 'asc' },
      });
      return rows.map((row) => ({ ...row, kind: kindColumn.parse(row.kind) }));
    },
    addGrant: async (row) => {
      const { sessionId, kind, fingerprint } = row;
      await prisma.grant.upsert({
        where: { sessionId_kind_fingerprint: { sessionId, kind, fingerprint } },
        create: row,
        update: { words: row.words, reason: row.reason, grantedById: row.grantedById, expiresAt: row.expiresAt },
      });
    },
    removeGrant: async (sessionId, id) => (await prisma.grant.deleteMany({ where: { id, sessionId } })).count > 0,
  };
}
