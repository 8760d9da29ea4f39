import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Owner = { pid: number; startedAt: string };

/** Two processes on one embedded database diverge silently, so the second is refused. Returns the release. */
export function lockDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'lock');
  const own: Owner = { pid: process.pid, startedAt: startTimeOf(process.pid) ?? '' };
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (create(file, own)) return () => release(file, own);
    const owner = readOwner(file);
    if (owner && isAlive(owner)) throw inUse(dataDir, owner);
    clearStale(file, owner);
  }
  throw new Error(`The data folder ${dataDir} could not be locked: another start keeps taking it. Try again.`);
}

function create(file: string, own: Owner): boolean {
  try {
    writeFileSync(file, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Moves the stale file aside first: what was moved is looked at again, since another start may have just replaced it. */
function clearStale(file: string, stale: Owner | null): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  const moved = readOwner(aside);
  if (moved && isAlive(moved) && moved.pid !== stale?.pid) linkSync(aside, file);
  rmSync(aside, { force: true });
}

function release(file: string, own: Owner): void {
  const owner = readOwner(file);
  if (owner?.pid === own.pid && owner.startedAt === own.startedAt) rmSync(file, { force: true });
}

function readOwner(file: string): Owner | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('startedAt' in value)) return null;
    return typeof value.pid === 'number' ? { pid: value.pid, startedAt: String(value.startedAt) } : null;
  } catch (error) {
    // A half-written lock belongs to a start that died while writing it.
    if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** A process number alone is reused by the system; with its start time it is unique. */
function isAlive(owner: Owner): boolean {
  const startedAt = startTimeOf(owner.pid);
  return startedAt !== null && startedAt === owner.startedAt;
}

function startTimeOf(pid: number): string | null {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // Field 22; the name in field 2 may hold blanks, so count from behind its closing bracket.
      const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${ticks}`;
    } catch (error) {
      if (isCode(error, 'ENOENT') || isCode(error, 'ESRCH')) return null;
      throw error;
    }
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch (error) {
    if (isCode(error, 'ENOENT')) throw error;
    return null;
  }
}

function inUse(dataDir: string, owner: Owner): Error {
  return new Error(
    `The data folder ${dataDir} is in use by process ${owner.pid}. ` +
      'Stop that one first, or start this one with another folder (--data, ONESLOT_DATA_DIR).',
  );
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
