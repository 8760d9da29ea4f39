import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { lockDataFolder } from './data-folder-lock.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded-database.ts';
import { PGliteStream } from './pglite-stream.ts';
import { UnreadableFolderError } from './unreadable-folder.ts';

export type DatabasePlace = { databaseUrl: string } | { dataDir: string };
export type OpenPool = {
  pool: pg.Pool;
  /** Null for the embedded database. */
  databaseUrl: string | null;
  close(): Promise<void>;
};

/** The server behind the URL, or the embedded database of the data folder. @throws when it cannot be opened */
export function openPool(place: DatabasePlace): Promise<OpenPool> {
  return 'databaseUrl' in place ? openServerPool(place.databaseUrl) : openFolderPool(place.dataDir);
}

/** PostgreSQL behind a URL. @throws when it does not answer */
async function openServerPool(databaseUrl: string): Promise<OpenPool> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, connectionTimeoutMillis: 10_000 });
  // An idle connection that breaks is replaced at its next use; without a listener it would end the process.
  const state = { closing: false };
  pool.on('error', (error) => {
    if (!state.closing) console.error(`database: an idle connection broke: ${error.message}`);
  });
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await pool.end();
    throw new Error('The database of ONESLOT_DATABASE_URL does not answer. Check address, user and password.', {
      cause: error,
    });
  }
  const close = async () => {
    state.closing = true;
    await pool.end();
  };
  return { pool, databaseUrl, close };
}

/** The embedded database: one process, one connection, in a folder that is locked against a second process. */
async function openFolderPool(dataDir: string): Promise<OpenPool> {
  const unlock = lockDataFolder(dataDir);
  const folder = join(dataDir, 'database');
  try {
    if (!existsSync(join(folder, 'PG_VERSION'))) await initialize(folder);
    const database = await openEmbedded(folder);
    const pool = poolOver(database);
    const close = async () => {
      await pool.end();
      await database.close();
      unlock();
    };
    return { pool, databaseUrl: null, close };
  } catch (error) {
    unlock();
    throw new UnreadableFolderError(folder, error);
  }
}

/** One client only: the embedded database is a single session, and a transaction must own it. */
function poolOver(database: EmbeddedDatabase): pg.Pool {
  return new pg.Pool({
    max: 1,
    idleTimeoutMillis: 0,
    user: 'postgres',
    database: 'postgres',
    host: 'pglite',
    ssl: false,
    stream: () => new PGliteStream(database),
    verify: (client, done) => void startAnew(client).then(() => done(), done),
  });
}

/**
 * A client whose query failed is replaced, but behind every client stands the same one session: what the last one left
 * open or prepared would make each statement of that name fail from then on.
 */
async function startAnew(client: pg.PoolClient): Promise<void> {
  await client.query('ROLLBACK');
  await client.query('DEALLOCATE ALL');
}

/**
 * The first initdb takes half a gigabyte that a process never gives back, so another process does it. It runs once, for
 * a few seconds: optimising its code would take longer than that saves.
 */
async function initialize(folder: string): Promise<void> {
  const program = fileURLToPath(new URL('./make-database.ts', import.meta.url));
  const args = ['--liftoff-only', '--disable-warning=ExperimentalWarning', program, folder];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  if (code !== 0)
    throw new Error(`The database folder could not be made: ${Buffer.concat(errors).toString('utf8').trim()}`);
}
