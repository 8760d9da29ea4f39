import { randomBytes } from 'node:crypto';
import type { EnvelopeGone, EnvelopeInfo } from '@oneslot/core';
import type { Database } from '@oneslot/db';
import { packChunk, unpackChunk } from './chunk-codec.ts';
import type { EnvelopeRows, OutputLimits } from './contract.ts';
import { defaultOutputLimits, makeRoom } from './output-store.ts';

/** 128 random bits: no clock and no counter, so two processes never draw the same one. */
export function makeEnvelopeRef(): string {
  return `out_${randomBytes(16).toString('hex')}`;
}

/** Every query names the session: a ref alone, guessed or borrowed, opens nothing. */
export function createEnvelopeRows(database: Database, limits: OutputLimits = defaultOutputLimits): EnvelopeRows {
  const { pool, prisma } = database;
  return {
    envelopeInfo: (sessionId, ref) => readInfo(database, sessionId, ref),
    envelopeGone: (sessionId, ref) => readGone(database, limits, sessionId, ref),
    openEnvelope: async ({ organizationId, sessionId }, meta) => {
      const id = makeEnvelopeRef();
      await prisma.envelope.create({ data: { id, organizationId, sessionId, ...meta }, select: { id: true } });
      return id;
    },
    appendChunk: async ({ ref, organizationId, index, offset, bytes }) => {
      const packed = await packChunk(bytes);
      await pool.query(
        'INSERT INTO "EnvelopeChunk" ("envelopeId", "organizationId", index, "offset", bytes, "rawBytes") VALUES ($1, $2, $3, $4, $5, $6)',
        [ref, organizationId, index, offset, packed.bytes, packed.rawBytes],
      );
      return packed.bytes.length;
    },
    finishEnvelope: async (sessionId, ref, totals) => {
      const { count } = await prisma.envelope.updateMany({
        where: { id: ref, sessionId, state: 'open' },
        data: { ...totals, state: 'complete' },
      });
      const info = count === 1 ? await readInfo(database, sessionId, ref) : null;
      if (!info) throw new Error(`The output ${ref} was removed while it was written.`);
      return info;
    },
    abortEnvelope: async (sessionId, ref) => {
      await prisma.envelope.deleteMany({ where: { id: ref, sessionId, state: 'open' } });
    },
    readEnvelope: (sessionId, ref, start, end) => readBytes(database, { sessionId, ref, start, end }),
    newestRefs: async (sessionId, limit) => {
      const rows = await prisma.envelope.findMany({
        where: { sessionId, state: 'complete', kind: 'output' },
        orderBy: { createdAt: 'desc' },
        take: limit,
        select: { id: true },
      });
      return rows.map((row) => row.id);
    },
    makeRoom: async (organizationId, bytes, now) => {
      await makeRoom(database, limits, { organizationId, bytes, now });
    },
  };
}

async function readInfo({ prisma }: Database, sessionId: string, ref: string): Promise<EnvelopeInfo | null> {
  const row = await prisma.envelope.findFirst({ where: { id: ref, sessionId, state: 'complete' } });
  if (!row) return null;
  const { callId, tool, origin, untrusted, cutOffset, bytes, lines } = row;
  const createdAt = row.createdAt.getTime();
  return { ref, callId, tool, origin, untrusted, cutOffset, bytes, lines, sha256: row.sha256 ?? '', createdAt };
}

async function readGone(
  { pool }: Database,
  limits: OutputLimits,
  sessionId: string,
  ref: string,
): Promise<EnvelopeGone | null> {
  const { rows } = await pool.query<Omit<EnvelopeGone, 'at'> & { at: Date }>(
    `SELECT e."removedReason" AS why, e."removedAt" AS at, e.tool, e."callId", c.title,
       COALESCE(o."outputRetentionDays", $3::int) AS "keptDays"
     FROM "Envelope" e JOIN organization o ON o.id = e."organizationId"
     LEFT JOIN "ToolCall" c ON c."sessionId" = e."sessionId" AND c."callId" = e."callId"
     WHERE e.id = $1 AND e."sessionId" = $2 AND e.state = 'removed'`,
    [ref, sessionId, limits.retentionDays],
  );
  const row = rows[0];
  return row ? { ...row, at: row.at.getTime() } : null;
}

type Range = { sessionId: string; ref: string; start: number; end: number };

async function readBytes({ pool }: Database, { sessionId, ref, start, end }: Range): Promise<Uint8Array> {
  const { rows } = await pool.query<{ offset: number; bytes: Buffer; rawBytes: number | null }>(
    `SELECT c."offset", c.bytes, c."rawBytes" FROM "EnvelopeChunk" c JOIN "Envelope" e ON e.id = c."envelopeId"
     WHERE e.id = $1 AND e."sessionId" = $2 AND e.state = 'complete'
       AND c."offset" < $4 AND c."offset" + COALESCE(c."rawBytes", length(c.bytes)) > $3 ORDER BY c.index`,
    [ref, sessionId, start, end],
  );
  const parts = await Promise.all(
    rows.map(async (row) => (await unpackChunk(row)).subarray(Math.max(0, start - row.offset), end - row.offset)),
  );
  return Buffer.concat(parts);
}
