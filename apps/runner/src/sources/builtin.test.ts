import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadTools } from '@oneslot/core';
import { expect, test } from 'vitest';
import { listBuiltinTools } from './builtin.ts';

test('finds every tool of the folder, and no test or helper', async () => {
  const names = (await listBuiltinTools()).map((listing) => listing.name);
  expect(names).toContain('read_file');
  expect(names).toContain('run_command');
  expect(names).toEqual([...names].sort());
  expect(names.some((name) => name.includes('test') || name.includes('freshness'))).toBe(false);
});

test('a file that will not load harms no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tools-'));
  await mkdir(join(folder, 'files'));
  await writeFile(join(folder, 'files', 'good-one.ts'), 'export default { name: "good_one" };');
  await writeFile(join(folder, 'files', 'bad-one.ts'), 'throw new Error("broken");');
  const loaded = await loadTools(await listBuiltinTools(pathToFileURL(`${folder}/`)));
  expect(loaded.specs).toHaveLength(1);
  expect(loaded.failures[0]?.name).toBe('bad_one');
});
