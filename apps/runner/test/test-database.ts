import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations, type Database, openDatabase } from '@oneslot/db';
import { has } from '../../../scripts/has.ts';
import { templateDatabase, templateFolder } from './database-template.ts';

export type TestDatabase = { database: Database; databaseUrl: string | null; drop(): Promise<void> };

/** The databases a suite runs on here; the server only where the machine has one. */
export const databaseKinds: readonly Database['kind'][] = has('postgres') ? ['pglite', 'postgres'] : ['pglite'];

/** A fresh migrated database for one test file. */
export function openTestDatabase(kind: Database['kind'] = 'pglite'): Promise<TestDatabase> {
  return kind === 'pglite' ? openFolder() : openServer();
}

async function openFolder(): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'oneslot-database-'));
  cpSync(templateFolder(), dataDir, { recursive: true });
  const database = await openDatabase({ dataDir });
  const drop = async () => {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { database, databaseUrl: null, drop };
}

async function openServer(): Promise<TestDatabase> {
  const serverUrl = process.env.ONESLOT_TEST_DATABASE_URL ?? '';
  const server = await openDatabase({ databaseUrl: serverUrl });
  const name = `oneslot_test_${randomBytes(6).toString('hex')}`;
  await ensureTemplate(server, serverUrl);
  await server.pool.query(`CREATE DATABASE ${name} TEMPLATE ${templateDatabase()}`);
  const databaseUrl = withDatabase(serverUrl, name);
  const database = await openDatabase({ databaseUrl });
  const drop = async () => {
    await database.close();
    await server.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.close();
  };
  return { database, databaseUrl, drop };
}

/** Several test files may ask in the same moment; the lock lets one build and the others copy. */
async function ensureTemplate(server: Database, serverUrl: string): Promise<void> {
  const client = await server.pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock(411)');
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [templateDatabase()]);
    if (rowCount) return;
    const draft = `${templateDatabase()}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft}`);
    await client.query(`CREATE DATABASE ${draft}`);
    const database = await openDatabase({ databaseUrl: withDatabase(serverUrl, draft) });
    await applyMigrations(database.pool);
    await database.close();
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${templateDatabase()}`);
  } finally {
    await client.query('SELECT pg_advisory_unlock(411)');
    client.release();
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
