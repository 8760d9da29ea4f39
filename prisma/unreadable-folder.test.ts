import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './client.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'oneslot-broken-'));
  mkdirSync(join(dataDir, 'database'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('a folder that lost PG_VERSION is refused and stays as it is, instead of being made anew over the rest', async () => {
  const file = join(dataDir, 'database', 'pg_control');
  writeFileSync(file, 'what people wrote');
  await expect(openDatabase({ dataDir })).rejects.toMatchObject({
    message: expect.stringContaining(`${join(dataDir, 'database')} could not be opened`),
    next: expect.stringMatching(/copy of the whole data folder.*move .*database away/),
    cause: expect.objectContaining({ message: expect.stringContaining('PG_VERSION') }),
  });
  expect(readFileSync(file, 'utf8')).toBe('what people wrote');
  // The lock is let go, so that the next start can try again.
  expect(readdirSync(dataDir)).toEqual(['database']);
});

test('a database of another version is refused with what to do', { timeout: 60_000 }, async () => {
  writeFileSync(join(dataDir, 'database', 'PG_VERSION'), '12\n');
  await expect(openDatabase({ dataDir })).rejects.toMatchObject({
    message: expect.stringContaining('No data in it was changed'),
    next: expect.stringContaining('start again'),
  });
});
