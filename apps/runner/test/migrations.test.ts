import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyMigrations } from '@oneslot/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseKinds, openTestDatabase, type TestDatabase } from './test-database.ts';

const prisma = fileURLToPath(new URL('../../../prisma/', import.meta.url));

test('schema and migrations agree', { timeout: 120_000 }, () => {
  const run = spawnSync(process.execPath, ['author-migration.ts', '--check'], { cwd: prisma, encoding: 'utf8' });
  expect(run.stdout + run.stderr).toContain('Schema and migrations agree.');
});

describe.each(databaseKinds)('migrations on %s', (kind) => {
  let opened: TestDatabase;
  let folder: string;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    folder = mkdtempSync(join(tmpdir(), 'oneslot-migrations-'));
    cpSync(join(prisma, 'migrations'), folder, { recursive: true });
  });
  afterAll(async () => {
    await opened.drop();
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, sql: string) => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'migration.sql'), sql);
  };

  test('each is applied once, in order, also by two starts in the same moment', async () => {
    expect(await applyMigrations(opened.database.pool)).toEqual([]);
    write('20990101000000_one', 'CREATE TABLE "One" (id int); CREATE TABLE "Two" (id int);');
    write('20990102000000_two', 'ALTER TABLE "Two" ADD COLUMN name text;');
    const { pool } = opened.database;
    const both = await Promise.all([applyMigrations(pool, folder), applyMigrations(pool, folder)]);
    expect(both.flat()).toEqual(['20990101000000_one', '20990102000000_two']);
  });

  test('one that fails leaves nothing behind', async () => {
    write('20990103000000_bad', 'CREATE TABLE "Three" (id int); SELECT nonsense;');
    await expect(applyMigrations(opened.database.pool, folder)).rejects.toThrow(/as it was before/);
    const { rows } = await opened.database.pool.query(`SELECT to_regclass('"Three"') AS found`);
    expect(rows).toEqual([{ found: null }]);
    rmSync(join(folder, '20990103000000_bad'), { recursive: true });
  });

  test('one that was changed after it was applied stops the start', async () => {
    write('20990101000000_one', 'CREATE TABLE "Other" (id int);');
    await expect(applyMigrations(opened.database.pool, folder)).rejects.toThrow(/was changed after/);
  });
});
