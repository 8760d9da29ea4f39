import { mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { SetupError } from '../bootstrap/setup-error.ts';

const neededBytes = 200_000_000; // a new embedded database, a session's files and room to write

/** Everything that would else fail later, deep inside, and say less. */
export async function checkHost(options: { host: string; port: number; dataDir: string }): Promise<void> {
  checkDataDir(options.dataDir);
  await checkPort(options.host, options.port);
}

function checkDataDir(folder: string): void {
  const next = 'Give another folder with --data or ONESLOT_DATA_DIR, or mend this one.';
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const trial = join(folder, `.write-test-${process.pid}`);
    writeFileSync(trial, 'x');
    rmSync(trial);
  } catch (error) {
    throw new SetupError(`The data folder ${folder} cannot be used: ${explain(folder, error)}.`, next, error);
  }
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= neededBytes) return;
  const free = Math.floor((bavail * bsize) / 1e6);
  throw new SetupError(
    `Only ${free} MB are free where the data folder ${folder} lies; 200 MB are the least.`,
    `Free some space. ${next}`,
  );
}

function explain(folder: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'EEXIST' || code === 'ENOTDIR') return isFile(folder) ? 'it is a file' : 'a part of its path is a file';
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not write there';
  if (code === 'EROFS') return 'its disk is mounted read-only';
  if (code === 'ENOSPC') return 'the disk is full';
  return error instanceof Error ? error.message : String(error);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

async function checkPort(host: string, port: number): Promise<void> {
  const failure = await tryListen(host, port);
  if (failure === null) return;
  const code = codeOf(failure);
  const where = `${host}:${port}`;
  if (code === 'EADDRINUSE') {
    const who = (await isOneslot(host, port)) ? 'Oneslot already runs there' : 'another program listens there';
    throw new SetupError(
      `Port ${port} is taken: ${who} (${where}).`,
      `Stop it, or choose another port: npm start -- --port ${port + 1}`,
    );
  }
  if (code === 'EACCES')
    throw new SetupError(`This user may not listen on ${where}.`, 'Choose a port from 1024 on with --port.');
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    throw new SetupError(
      `This machine has no address ${host}.`,
      'Use --host 127.0.0.1 for this machine alone, or --host 0.0.0.0 for all its networks.',
    );
  }
  throw failure;
}

function tryListen(host: string, port: number): Promise<Error | null> {
  const { promise, resolve } = Promise.withResolvers<Error | null>();
  const server = createServer();
  server.on('error', resolve);
  server.listen(port, host, () => server.close(() => resolve(null)));
  return promise;
}

async function isOneslot(host: string, port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://${urlHost(host)}:${port}/healthz`, { signal: AbortSignal.timeout(1000) });
    return answer.ok && /json|plain/.test(answer.headers.get('content-type') ?? '');
  } catch {
    // Whatever listens there does not speak HTTP in time: then it is not ours.
    return false;
  }
}

/** The address to reach a listener by: the wildcard addresses are not ones, and IPv6 takes brackets. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
