import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import { lockDataFolder } from './data-folder-lock.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded-database.ts';
import { PGliteStream } from './pglite-stream.ts';
import { UnreadableFolderError } from './unreadable-folder.ts';

export type OpenPool = { pool: pg.Pool; close(): Promise<void> };

/** PostgreSQL behind a URL. @throws when it does not answer */
export async function openServerPool(databaseUrl: string): Promise<OpenPool> {
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
  return { pool, close };
}

/** The embedded database: one process, one connection, in a folder that is locked against a second process. */
export async function openFolderPool(dataDir: string): Promise<OpenPool> {
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
    return { pool, close };
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
  });
}

/** The first initdb takes half a gigabyte that a process never gives back, so another process does it. */
async function initialize(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Making a database where one lost its first file would write over the rest of it.
  if (readdirSync(folder).length > 0) throw new Error('It holds files, but none named PG_VERSION.');
  const program = 'require(process.argv[1]).PGlite.create(process.argv[2]).then((database) => database.close())';
  const library = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  // It runs once for a few seconds: optimising its code would take longer than that saves.
  const args = ['--liftoff-only', '--input-type=commonjs', '-e', program, library, folder];
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
