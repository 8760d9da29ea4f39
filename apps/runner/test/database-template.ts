import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyMigrations, openDatabase } from '@oneslot/db';

const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
const cache = fileURLToPath(new URL('../../../node_modules/.cache/oneslot', import.meta.url));

/** A migrated data folder that suites copy: making one takes seconds, copying one a third of a second. */
export function templateFolder(): string {
  return join(cache, `database-${migrationsHash()}`);
}

/** The name of the like on a server; also the mark that it is complete. */
export function templateDatabase(): string {
  return `oneslot_template_${migrationsHash()}`;
}

/** Vitest's global setup: made once per set of migrations, kept between runs. */
export default async function setup(): Promise<void> {
  const folder = templateFolder();
  if (existsSync(folder)) return;
  mkdirSync(cache, { recursive: true });
  const draft = `${folder}.${process.pid}`;
  const database = await openDatabase({ dataDir: draft });
  try {
    await applyMigrations(database.pool);
  } finally {
    await database.close();
  }
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another run was first; its folder is as good.
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(migrations).sort()) {
    const file = join(migrations, name, 'migration.sql');
    if (existsSync(file)) hash.update(name).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}
