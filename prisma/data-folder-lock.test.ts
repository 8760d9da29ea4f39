import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockDataFolder } from './data-folder-lock.ts';

const library = fileURLToPath(new URL('./data-folder-lock.ts', import.meta.url));
const program =
  "const { lockDataFolder } = await import(process.argv[1]); lockDataFolder(process.argv[2]); console.log('locked');";
const args = ['--input-type=module', '-e', program, library];

describe('the lock of a data folder', () => {
  let dataDir = '';
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'oneslot-lock-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  test('refuses a second process and names the first', () => {
    const unlock = lockDataFolder(dataDir);
    const second = spawnSync(process.execPath, [...args, dataDir], { encoding: 'utf8' });
    expect(second.stderr).toContain(`in use by process ${process.pid}`);
    unlock();
    expect(existsSync(join(dataDir, 'lock'))).toBe(false);
    expect(spawnSync(process.execPath, [...args, dataDir], { encoding: 'utf8' }).stdout).toBe('locked\n');
  });

  test('the lock of a killed process is stale', async () => {
    const child = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `${program} setInterval(() => {}, 1e6)`,
      library,
      dataDir,
    ]);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(() => lockDataFolder(dataDir)).toThrow(/in use/);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    lockDataFolder(dataDir)();
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test.each(['', '{', '{"pid":1}', '{"pid":1,"startedAt":"another boot"}'])('%j is nobody’s lock', (text) => {
    writeFileSync(join(dataDir, 'lock'), text);
    lockDataFolder(dataDir)();
    expect(readdirSync(dataDir)).toEqual([]);
  });
});
