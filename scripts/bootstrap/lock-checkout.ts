import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheDir } from './paths.ts';

const file = join(cacheDir, 'bootstrap.lock');

/** Two first starts at once would install into each other: the second one waits for the first, or for its death. */
export async function lockCheckout<T>(run: () => Promise<T>): Promise<T> {
  mkdirSync(cacheDir, { recursive: true });
  let told = false;
  while (!take()) {
    if (!told) console.log('• waiting: another script is setting this checkout up …');
    told = true;
    await sleep(300);
  }
  const release = (): void => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    return await run();
  } finally {
    process.off('exit', release);
    release();
  }
}

function take(): boolean {
  try {
    const handle = openSync(file, 'wx');
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (!ownerIsDead()) return false;
    rmSync(file, { force: true });
    return false;
  }
}

function ownerIsDead(): boolean {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // An empty file was made a moment ago: its owner is about to write into it.
    if (!pid) return false;
    process.kill(pid, 0);
    return pid === process.pid;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
