import { randomBytes } from 'node:crypto';
import type { EnvelopeInfo } from '@oneslot/core';
import type { Database } from '@oneslot/db';
import type { EnvelopeRows } from './contract.ts';

/** 128 random bits: no clock and no counter, so two processes never draw the same one. */
export function makeEnvelopeRef(): string {
  return `out_${randomBytes(16).toString('hex')}`;
}

/** Every query names the session: a ref alone, guessed or borrowed, opens nothing. */
export function createEnvelopeRows({ pool, prisma }: Database): EnvelopeRows {
  async function envelopeInfo(sessionId: string, ref: string): Promise<EnvelopeInfo | null> {
    const row = await prisma.envelope.findFirst({ where: { id: ref, sessionId, state: 'complete' } });
    if (!row) return null;
    const { callId, tool, origin, untrusted, cutOffset, bytes, lines } = row;
    return {
      ref,
      callId,
      tool,
      origin,
      untrusted,
      cutOffset,
      bytes,
      lines,
      sha256: row.sha256 ?? '',
      createdAt: row.createdAt.getTime(),
    };
  }
  return {
    envelopeInfo,
    openEnvelope: async ({ organizationId, sessionId }, meta) => {
      const id = makeEnvelopeRef();
      await prisma.envelope.create({ data: { id, organizationId, sessionId, ...meta }, select: { id: true } });
      return id;
    },
    appendChunk: async ({ ref, organizationId, index, offset, bytes }) => {
      await pool.query(
        'INSERT INTO "EnvelopeChunk" ("envelopeId", "organizationId", index, "offset", bytes) VALUES ($1, $2, $3, $4, $5)',
        [ref, organizationId, index, offset, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
      );
    },
    finishEnvelope: async (sessionId, ref, totals) => {
      await prisma.envelope.updateMany({ where: { id: ref, sessionId }, data: { ...totals, state: 'complete' } });
      const info = await envelopeInfo(sessionId, ref);
      if (!info) throw new Error(`The output ${ref} was removed while it was written.`);
      return info;
    },
    abortEnvelope: async (sessionId, ref) => {
      await prisma.envelope.deleteMany({ where: { id: ref, sessionId, state: 'open' } });
    },
    readEnvelope: async (sessionId, ref, start, end) => {
      const { rows } = await pool.query<{ offset: number; bytes: Buffer }>(
        `SELECT c."offset", c.bytes FROM "EnvelopeChunk" c JOIN "Envelope" e ON e.id = c."envelopeId"
         WHERE e.id = $1 AND e."sessionId" = $2 AND e.state = 'complete'
           AND c."offset" < $4 AND c."offset" + length(c.bytes) > $3 ORDER BY c.index`,
        [ref, sessionId, start, end],
      );
      return Buffer.concat(rows.map((row) => row.bytes.subarray(Math.max(0, start - row.offset), end - row.offset)));
    },
    newestRefs: async (sessionId, limit) => {
      const rows = await prisma.envelope.findMany({
        where: { sessionId, state: 'complete' },
        orderBy: { createdAt: 'desc' },
        take: limit,
        select: { id: true },
      });
      return rows.map((row) => row.id);
    },
  };
}
