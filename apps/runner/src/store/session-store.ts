import { HostError, type Mode } from '@oneslot/core';
import type { Database, Prisma } from '@oneslot/db';
import { z } from 'zod';
import type { Caller, SessionDetail, SessionRow, SessionState, SessionStore } from './contract.ts';
import { createLeaseStore } from './lease-store.ts';
import { visibleTo } from './visible-to.ts';

const stateFields = {
  id: true,
  organizationId: true,
  ownerId: true,
  title: true,
  status: true,
  mode: true,
  modelId: true,
  nextSeq: true,
  leaseEpoch: true,
  leaseRunner: true,
  createdAt: true,
} satisfies Prisma.SessionSelect;
const rowFields = {
  id: true,
  title: true,
  status: true,
  mode: true,
  modelId: true,
  lastText: true,
  createdAt: true,
  updatedAt: true,
  _count: { select: { approvals: { where: { state: 'pending' } } } },
} satisfies Prisma.SessionSelect;

export function createSessionStore(database: Database): SessionStore {
  const { prisma } = database;
  return {
    ...createLeaseStore(database),
    createSession: async ({ caller, ...row }) => {
      const { organizationId, userId } = caller;
      const created = await prisma.session.create({
        data: { ...row, organizationId, ownerId: userId },
        select: { id: true },
      });
      return created.id;
    },
    listSessions: async (caller, { query, cursor, limit }) => {
      const rows = await prisma.session.findMany({
        where: { AND: [visibleTo(caller), matching(query), behind(cursor)] },
        orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
        take: limit + 1,
        select: rowFields,
      });
      const items = rows.slice(0, limit).map(toRow);
      const last = items.at(-1);
      return { items, nextCursor: rows.length > limit && last ? `${last.updatedAt.toISOString()}_${last.id}` : null };
    },
    getSession: (caller, sessionId) => getSession(database, caller, sessionId),
    findSession: async (caller, sessionId) => {
      const row = await prisma.session.findFirst({
        where: { id: sessionId, ...visibleTo(caller) },
        select: stateFields,
      });
      return row && toState(row);
    },
    getSessionState: async (sessionId) => {
      const row = await prisma.session.findUnique({ where: { id: sessionId }, select: stateFields });
      return row && toState(row);
    },
    removeSession: async (caller, sessionId) => {
      const { count } = await prisma.session.deleteMany({ where: { id: sessionId, ...visibleTo(caller) } });
      return count > 0;
    },
  };
}

function matching(query: string | undefined): Prisma.SessionWhereInput {
  if (!query) return {};
  // The client passes LIKE patterns on as they are.
  const contains = query.replace(/[\\%_]/g, '\\$&');
  return { OR: [{ title: { contains, mode: 'insensitive' } }, { lastText: { contains, mode: 'insensitive' } }] };
}

function behind(cursor: string | undefined): Prisma.SessionWhereInput {
  if (!cursor) return {};
  const split = cursor.indexOf('_');
  const updatedAt = new Date(cursor.slice(0, split));
  if (split < 0 || Number.isNaN(updatedAt.getTime()))
    throw new HostError('invalid', 'This cursor was not made by a list of sessions.');
  return { OR: [{ updatedAt: { lt: updatedAt } }, { updatedAt, id: { lt: cursor.slice(split + 1) } }] };
}

async function getSession({ prisma }: Database, caller: Caller, sessionId: string): Promise<SessionDetail | null> {
  const row = await prisma.session.findFirst({
    where: { id: sessionId, ...visibleTo(caller) },
    select: { ...rowFields, ownerId: true },
  });
  if (!row) return null;
  const [owner, usage, queued] = await Promise.all([
    prisma.user.findUnique({ where: { id: row.ownerId }, select: { id: true, name: true } }),
    prisma.usage.aggregate({
      where: { sessionId },
      _sum: { inputTokens: true, cachedTokens: true, outputTokens: true },
    }),
    prisma.message.findMany({
      where: { sessionId, state: 'queued' },
      orderBy: { position: 'asc' },
      select: { id: true, text: true },
    }),
  ]);
  const { inputTokens, cachedTokens, outputTokens } = usage._sum;
  return {
    ...toRow(row),
    owner: owner ?? { id: row.ownerId, name: 'Former member' },
    usage: { inputTokens: inputTokens ?? 0, cachedTokens: cachedTokens ?? 0, outputTokens: outputTokens ?? 0 },
    queued: queued.map((message) => ({ messageId: message.id, text: message.text })),
  };
}

const statusColumn = z.enum(['idle', 'running', 'waiting', 'failed']);
const modeColumn = z.enum(['plan', 'ask', 'agent', 'autopilot']) satisfies z.ZodType<Mode>;

function toState(row: Prisma.SessionGetPayload<{ select: typeof stateFields }>): SessionState {
  return { ...row, status: statusColumn.parse(row.status), mode: modeColumn.parse(row.mode) };
}

function toRow({ _count, ...row }: Prisma.SessionGetPayload<{ select: typeof rowFields }>): SessionRow {
  const { id, title, modelId, lastText, createdAt, updatedAt } = row;
  return {
    id,
    title,
    status: statusColumn.parse(row.status),
    mode: modeColumn.parse(row.mode),
    modelId,
    lastText,
    createdAt,
    updatedAt,
    pendingApprovals: _count.approvals,
  };
}
