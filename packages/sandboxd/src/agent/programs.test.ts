import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findProgram } from './programs.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oneslot-test-'));
  for (const name of ['one', 'two']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'one/plain'), '', { mode: 0o644 });
  mkdirSync(join(folder, 'one/folder'));
  symlinkSync('/dev/null', join(folder, 'one/masked'));
  symlinkSync('nowhere', join(folder, 'one/dangling'));
  for (const name of ['plain', 'folder', 'tool']) writeFileSync(join(folder, 'two', name), '', { mode: 0o755 });
  symlinkSync('tool', join(folder, 'two/linked'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['tool', 'two/tool'],
  ['linked', 'two/linked'],
  ['plain', 'two/plain'],
  ['folder', 'two/folder'],
  ['masked', null],
  ['dangling', null],
  ['absent', null],
])('finds what can be run: %s', (name, place) => {
  const path = `:.:/nowhere:${join(folder, 'one')}:${join(folder, 'two')}`;
  expect(findProgram(name, path)).toBe(place === null ? null : join(folder, place));
});
