import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';

/**
 * The program that makes an empty embedded database in the folder it is given. It is made beside its place and moved
 * there whole, so a killed start leaves no half of one.
 */
const folder = process.argv[2] ?? '';
const draft = `${folder}.new-${process.pid}`;

mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
for (const left of leftovers()) rmSync(left, { recursive: true, force: true });
// Making a database where one lost its first file would write over the rest of it.
if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error('It holds files, but none named PG_VERSION.');
mkdirSync(draft, { mode: 0o700 });
const database = await PGlite.create(draft);
await database.close();
renameSync(draft, folder);

/** Drafts of processes that are gone. */
function leftovers(): string[] {
  const prefix = `${basename(folder)}.new-`;
  return readdirSync(dirname(folder))
    .filter((name) => name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length))))
    .map((name) => join(dirname(folder), name));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
