import { HostError } from '@oneslot/core';
import type { Database } from '@oneslot/db';
import type { OutputLimits, OutputSettings, OutputStore, SweptOutputs } from './contract.ts';

/** A week is as long as people come back to a session; the quota is room for some ten thousand ordinary outputs. */
export const defaultOutputLimits: OutputLimits = { retentionDays: 7, quotaMib: 2_048 };

const mib = 1_048_576;
/** Removed in small steps, so that no statement keeps writers waiting. */
const batchSize = 200;
/** After this a removed ref answers like one that never was. */
const tombstoneDays = 90;
/** Only what we made and may remove: texts of conversations, and rows of another hand, are left alone. */
const ours = `e.kind = 'output' AND e.id LIKE 'out\\_%'`;

export function createOutputStore(database: Database, limits: OutputLimits): OutputStore {
  const { pool, prisma } = database;
  return {
    sweepOutputs: async ({ now, abandonedBefore }) => {
      const abandoned = await removeAbandoned(database, abandonedBefore);
      const expired = await removeExpired(database, limits, now);
      const evicted = await evictAll(database, limits, now);
      await pool.query(
        `DELETE FROM "Envelope" WHERE state = 'removed' AND "removedAt" <= $1::timestamptz - make_interval(days => $2)`,
        [now, tombstoneDays],
      );
      const swept: SweptOutputs = { expired, evicted, abandoned };
      // Nobody else tidies the embedded database; until then the room of deleted chunks is not used again.
      if (database.kind === 'pglite' && expired + evicted + abandoned > 0) await pool.query('VACUUM "EnvelopeChunk"');
      return swept;
    },
    outputSettings: (organizationId) => readSettings(database, limits, organizationId),
    setOutputLimits: async (organizationId, { retentionDays, quotaMib }) => {
      const data = {
        ...(retentionDays === undefined ? {} : { outputRetentionDays: retentionDays }),
        ...(quotaMib === undefined ? {} : { outputQuotaMib: quotaMib }),
      };
      await prisma.organization.updateMany({ where: { id: organizationId }, data });
    },
    setOutputHold: async ({ organizationId, sessionId }, hold) => {
      const data = { outputHold: hold };
      if (sessionId === null) await prisma.organization.updateMany({ where: { id: organizationId }, data });
      else await prisma.session.updateMany({ where: { id: sessionId, organizationId }, data });
    },
  };
}

/** @throws HostError too_large where the newest output does not fit; then nothing is evicted. */
export async function makeRoom(
  { pool }: Pick<Database, 'pool'>,
  limits: OutputLimits,
  request: { organizationId: string; bytes: number; now: Date },
): Promise<number> {
  const { organizationId, bytes, now } = request;
  const { rows } = await pool.query<{ fits: boolean; evicted: number; quota: string }>(makeRoomSql, [
    organizationId,
    bytes,
    limits.quotaMib,
    now,
  ]);
  const row = rows[0];
  if (row && !row.fits && bytes > 0) {
    throw new HostError('too_large', `${bytes} bytes do not fit the ${row.quota} bytes kept for stored outputs.`, {
      next: 'An administrator may raise the quota of stored outputs or lift a hold.',
    });
  }
  return row?.evicted ?? 0;
}

async function removeAbandoned({ pool }: Database, before: Date): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM "Envelope" e WHERE e.state = 'open' AND e.id LIKE 'out\\_%' AND e."createdAt" <= $1`,
    [before],
  );
  return rowCount ?? 0;
}

async function removeExpired({ pool }: Database, limits: OutputLimits, now: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const { rows } = await pool.query<{ removed: number }>(expireSql, [now, limits.retentionDays, batchSize]);
    const removed = rows[0]?.removed ?? 0;
    total += removed;
    if (removed < batchSize) return total;
  }
}

/** A quota may have been lowered since the last output was written. */
async function evictAll(database: Database, limits: OutputLimits, now: Date): Promise<number> {
  const { rows } = await database.pool.query<{ id: string }>(overQuotaSql, [limits.quotaMib]);
  let evicted = 0;
  for (const { id } of rows) evicted += await makeRoom(database, limits, { organizationId: id, bytes: 0, now });
  return evicted;
}

async function readSettings({ pool }: Database, limits: OutputLimits, organizationId: string): Promise<OutputSettings> {
  const { rows } = await pool.query<{
    days: number | null;
    quota: number | null;
    hold: boolean;
    used: string;
    outputs: number;
  }>(settingsSql, [organizationId]);
  const row = rows[0];
  return {
    retentionDays: row?.days ?? limits.retentionDays,
    quotaMib: row?.quota ?? limits.quotaMib,
    hold: row?.hold ?? false,
    ownRetention: (row?.days ?? null) !== null,
    ownQuota: (row?.quota ?? null) !== null,
    usedBytes: Number(row?.used ?? 0),
    outputs: row?.outputs ?? 0,
  };
}

const expireSql = `
WITH due AS (
  SELECT e.id FROM "Envelope" e
  JOIN "Session" s ON s.id = e."sessionId" JOIN organization o ON o.id = e."organizationId"
  WHERE e.state = 'complete' AND ${ours} AND NOT s."outputHold" AND NOT o."outputHold"
    AND e."createdAt" <= $1::timestamptz - make_interval(days => COALESCE(o."outputRetentionDays", $2::int))
  ORDER BY e."createdAt" LIMIT $3
), gone AS (
  UPDATE "Envelope" SET state = 'removed', "removedAt" = $1::timestamptz, "removedReason" = 'expired'
  WHERE id IN (SELECT id FROM due) RETURNING id
), dropped AS (
  DELETE FROM "EnvelopeChunk" WHERE "envelopeId" IN (SELECT id FROM gone)
)
SELECT count(*)::int AS removed FROM gone`;

// Oldest first until what is missing is covered; nothing at all where even that would not do.
const makeRoomSql = `
WITH quota AS (
  SELECT COALESCE(o."outputQuotaMib", $3::int)::bigint * ${mib} AS bytes, o."outputHold" AS hold
  FROM organization o WHERE o.id = $1
), missing AS (
  SELECT COALESCE(sum(e."storedBytes"), 0)::bigint + $2::bigint - (SELECT bytes FROM quota) AS bytes
  FROM "Envelope" e WHERE e."organizationId" = $1 AND e.state = 'complete' AND ${ours}
), loose AS (
  SELECT e.id, e."storedBytes" AS bytes,
    sum(e."storedBytes") OVER (ORDER BY e."createdAt", e.id) - e."storedBytes" AS before
  FROM "Envelope" e JOIN "Session" s ON s.id = e."sessionId"
  WHERE (SELECT bytes FROM missing) > 0 AND e."organizationId" = $1 AND e.state = 'complete' AND ${ours}
    AND NOT s."outputHold" AND NOT (SELECT hold FROM quota)
), verdict AS (
  SELECT missing.bytes <= COALESCE((SELECT sum(bytes) FROM loose), 0) OR missing.bytes <= 0 AS fits FROM missing
), gone AS (
  UPDATE "Envelope" SET state = 'removed', "removedAt" = $4::timestamptz, "removedReason" = 'evicted'
  WHERE id IN (SELECT loose.id FROM loose, missing, verdict WHERE (fits OR $2 = 0) AND loose.before < missing.bytes)
  RETURNING id
), dropped AS (
  DELETE FROM "EnvelopeChunk" WHERE "envelopeId" IN (SELECT id FROM gone)
)
SELECT verdict.fits, quota.bytes AS quota, (SELECT count(*)::int FROM gone) AS evicted FROM verdict, quota`;

const overQuotaSql = `
SELECT o.id FROM organization o JOIN "Envelope" e ON e."organizationId" = o.id
WHERE e.state = 'complete' AND ${ours} GROUP BY o.id
HAVING sum(e."storedBytes") > COALESCE(o."outputQuotaMib", $1::int)::bigint * ${mib}`;

const settingsSql = `
SELECT o."outputRetentionDays" AS days, o."outputQuotaMib" AS quota, o."outputHold" AS hold,
  COALESCE(sum(e."storedBytes"), 0)::bigint AS used, count(e.id)::int AS outputs
FROM organization o LEFT JOIN "Envelope" e ON e."organizationId" = o.id AND e.state = 'complete' AND ${ours}
WHERE o.id = $1 GROUP BY o.id`;
