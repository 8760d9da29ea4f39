import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { delimiter, join } from 'node:path';
import { runCommand } from '../bootstrap/run-command.ts';
import type { Facility } from '../has.ts';
import { startPostgres } from './postgres.ts';

/** Either what a facility hands on to the suites, or why it is not there. */
export type Probe = {
  facility: Facility;
  env: Record<string, string>;
  missing: string | null;
  release: () => Promise<void>;
};

const nothing = async (): Promise<void> => undefined;
const present = (facility: Facility, env: Record<string, string> = {}): Probe => ({
  facility,
  env,
  missing: null,
  release: nothing,
});
const absent = (facility: Facility, why: string): Probe => ({ facility, env: {}, missing: why, release: nothing });

/** Looks once at what the machine has; suites are told and never look themselves. */
export async function probeAll(): Promise<Probe[]> {
  return Promise.all([probeDocker(), probePostgres(), probeChromium(), probeBubblewrap()]);
}

async function probeDocker(): Promise<Probe> {
  const host = process.env.DOCKER_HOST ?? 'unix:///var/run/docker.sock';
  const answer = await ping(host);
  return answer === 'OK' ? present('docker') : absent('docker', `${host} did not answer a ping: ${answer}`);
}

function ping(host: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const where = host.startsWith('unix://')
    ? { socketPath: host.slice('unix://'.length) }
    : { host: new URL(host).hostname, port: new URL(host).port };
  const call = request({ ...where, path: '/_ping', timeout: 2000 }, (response) => {
    response.setEncoding('utf8').on('data', resolve);
  });
  call.on('timeout', () => call.destroy(new Error('nothing within 2 s')));
  call.on('error', (error) => resolve(error.message));
  call.end();
  return promise;
}

async function probePostgres(): Promise<Probe> {
  const url = process.env.ONESLOT_TEST_DATABASE_URL;
  if (url) return present('postgres', { ONESLOT_TEST_DATABASE_URL: url });
  const cluster = await startPostgres();
  if (typeof cluster === 'string') return absent('postgres', cluster);
  return {
    facility: 'postgres',
    env: { ONESLOT_TEST_DATABASE_URL: cluster.url },
    missing: null,
    release: cluster.drop,
  };
}

async function probeChromium(): Promise<Probe> {
  const wanted = process.env.ONESLOT_CHROMIUM;
  const program = wanted ?? onPath(['chromium', 'chromium-browser', 'google-chrome']);
  if (!program) return absent('chromium', 'ONESLOT_CHROMIUM is not set and no chromium is on PATH');
  const end = await runCommand(program, ['--version']);
  return end.code === 0
    ? present('chromium', { ONESLOT_CHROMIUM: program })
    : absent('chromium', `${program} --version ended with ${end.code}`);
}

async function probeBubblewrap(): Promise<Probe> {
  const program = onPath(['bwrap']);
  if (!program) return absent('bubblewrap', 'no bwrap is on PATH');
  const end = await runCommand(program, [
    '--unshare-all',
    '--die-with-parent',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
    'true',
  ]);
  return end.code === 0
    ? present('bubblewrap')
    : absent('bubblewrap', `a trial run failed: ${end.output.trim() || `code ${end.code}`}`);
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}
