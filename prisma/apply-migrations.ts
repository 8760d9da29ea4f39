import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool, PoolClient } from 'pg';

/** Source: the advisory lock Prisma's own engine takes, so that both can be used side by side. */
const prismaLockId = 72_707_369;

export type Migration = { name: string; sql: string; checksum: string };

/** Brings the database to the newest schema with Prisma's own bookkeeping. Returns the names that were applied. */
export async function applyMigrations(pool: Pool, folder = defaultFolder()): Promise<string[]> {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [prismaLockId]);
    await client.query(createTable);
    const applied = await appliedMigrations(client);
    const names: string[] = [];
    for (const migration of readMigrations(folder)) {
      if (isApplied(applied, migration)) continue;
      await applyOne(client, migration);
      names.push(migration.name);
    }
    return names;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [prismaLockId]);
    client.release();
  }
}

export function defaultFolder(): string {
  return fileURLToPath(new URL('./migrations/', import.meta.url));
}

export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names
    .map((entry) => entry.name)
    .filter((name) => existsSync(join(folder, name, 'migration.sql')))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

type Applied = { name: string; checksum: string; finished: boolean; rolledBack: boolean };

async function appliedMigrations(client: PoolClient): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished,
            rolled_back_at IS NOT NULL AS "rolledBack" FROM "_prisma_migrations"`,
  );
  const stuck = rows.find((row) => !row.finished && !row.rolledBack);
  if (stuck) {
    throw new Error(
      `Migration ${stuck.name} was begun and never finished. Restore the last backup, or repair the schema by hand ` +
        'and set rolled_back_at of that row in _prisma_migrations.',
    );
  }
  return rows.filter((row) => !row.rolledBack);
}

function isApplied(applied: readonly Applied[], migration: Migration): boolean {
  const row = applied.find((one) => one.name === migration.name);
  if (!row) return false;
  if (row.checksum === migration.checksum) return true;
  throw new Error(
    `Migration ${migration.name} was changed after it had been applied to this database. ` +
      'Install the version of Oneslot this database belongs to, or a newer one.',
  );
}

async function applyOne(client: PoolClient, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`Migration ${migration.name} failed; the database is as it was before.`, { cause: error });
  }
}

const createTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
