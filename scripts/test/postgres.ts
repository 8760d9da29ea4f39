import { existsSync, readdirSync } from 'node:fs';
import { runCommand } from '../bootstrap/run-command.ts';
import { freePort } from '../free-port.ts';

export type Cluster = { url: string; drop: () => Promise<void> };

/** A throw-away server by Debian's own tools; a string says why there is none. */
export async function startPostgres(): Promise<Cluster | string> {
  if (!existsSync('/usr/bin/pg_createcluster'))
    return 'ONESLOT_TEST_DATABASE_URL is not set and pg_createcluster is not installed';
  if (process.getuid?.() !== 0) return 'ONESLOT_TEST_DATABASE_URL is not set, and a throw-away cluster needs root';
  const version = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))[0];
  if (!version) return 'no PostgreSQL server is installed below /usr/lib/postgresql';
  await dropLeftovers();
  const name = `oneslot-test-${process.pid}`;
  const port = await freePort();
  const drop = async (): Promise<void> => void (await runCommand('pg_dropcluster', [version, name, '--stop']));
  const end = await runCommand('pg_createcluster', [
    version,
    name,
    '-p',
    String(port),
    '--start',
    '-o',
    'fsync=off',
    '-o',
    'max_connections=200',
    '--',
    '-A',
    'trust',
  ]);
  if (end.code === 0) return { url: `postgresql://postgres@127.0.0.1:${port}/postgres`, drop };
  await drop();
  return `pg_createcluster failed: ${end.output.trim().split('\n').at(-1)}`;
}

/** Clusters of test runs that were killed before they could clean up. */
async function dropLeftovers(): Promise<void> {
  const { output } = await runCommand('pg_lsclusters', ['--no-header']);
  for (const line of output.split('\n')) {
    const [version = '', name = ''] = line.split(/\s+/);
    const pid = /^oneslot-test-(\d+)$/.exec(name)?.[1];
    if (pid && !existsSync(`/proc/${pid}`)) await runCommand('pg_dropcluster', [version, name, '--stop']);
  }
}
