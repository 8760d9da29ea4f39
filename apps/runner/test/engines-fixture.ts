import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxClient } from '@oneslot/sandboxd';
import type Docker from 'dockerode';
import { chooseEngine } from '../src/sandbox/choose-engine.ts';
import { DockerEngine } from '../src/sandbox/docker.ts';
import { connectDocker } from '../src/sandbox/docker-host.ts';
import type { EngineName, SandboxEngine } from '../src/sandbox/engine.ts';
import type { SandboxChanged, SandboxRows, SavedSandbox } from '../src/sandbox/session-sandboxes.ts';

export const rootDir = join(import.meta.dirname, '../../..');
export const seccompFile = join(rootDir, 'docker/seccomp.json');
/** Everything a run makes carries this, and is removed by it. */
export const installationId = `test-${process.pid}-${Date.now()}`;
const dockerHost = process.env.DOCKER_HOST;
const host = dockerHost === undefined ? {} : { dockerHost };

export const dockerClient = (): Docker => connectDocker(host);

export async function dockerEngine(docker?: Docker): Promise<DockerEngine> {
  const sources = {
    dockerfile: join(rootDir, 'docker/sandbox.Dockerfile'),
    sandboxdFolder: join(rootDir, 'packages/sandboxd'),
  };
  const engine = await new DockerEngine({
    ...host,
    installationId,
    sources,
    seccompFile,
    ...(docker ? { docker } : {}),
  }).load();
  await engine.prepare(() => undefined);
  return engine;
}

export type EngineFixture = { engine: SandboxEngine; remove(): Promise<void> };

export async function makeEngine(name: Exclude<EngineName, 'docker'>): Promise<EngineFixture> {
  const dataDir = await mkdtemp(join(tmpdir(), `oneslot-${name}-`));
  const { engine } = await chooseEngine({ engine: name, listenHost: 'localhost', dataDir, installationId, rootDir });
  await engine.prepare(() => undefined);
  return {
    engine,
    async remove() {
      await engine.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Containers and volumes of this run that are still there, by name. */
export async function leftovers(docker: Docker): Promise<string[]> {
  const filters = { label: [`oneslot.installation=${installationId}`] };
  const containers = await docker.listContainers({ all: true, filters });
  const { Volumes } = await docker.listVolumes({ filters });
  return [...containers.flatMap(({ Names }) => Names), ...Volumes.map(({ Name }) => Name)];
}

export async function removeLeftovers(docker: Docker): Promise<void> {
  const filters = { label: [`oneslot.installation=${installationId}`] };
  for (const { Id } of await docker.listContainers({ all: true, filters })) {
    await docker.getContainer(Id).remove({ force: true });
  }
  for (const { Name } of (await docker.listVolumes({ filters })).Volumes) await docker.getVolume(Name).remove();
}

export function memoryRows(): SandboxRows & { rows: Map<string, SavedSandbox> } {
  const rows = new Map<string, SavedSandbox>();
  return {
    rows,
    find: async (sessionId) => rows.get(sessionId) ?? null,
    save: async (row) => void rows.set(row.sessionId, row),
    list: async () => [...rows.values()],
    remove: async (sessionId) => void rows.delete(sessionId),
  };
}

/** Collects what sessions are told, as `session phase`. */
export function recordChanges() {
  const changes: (SandboxChanged & { sessionId: string })[] = [];
  return {
    changes,
    phases: (sessionId: string) => changes.filter((change) => change.sessionId === sessionId).map(({ phase }) => phase),
    onChange: (sessionId: string, change: SandboxChanged) => void changes.push({ ...change, sessionId }),
  };
}

export type Ran = { exitCode: number | null; stdout: string; stderr: string; state: string; processId: string };

export async function runIn(client: SandboxClient, command: string, timeoutMs = 10_000): Promise<Ran> {
  const result = await client.commands.run({ command, timeoutMs, background: false, tty: false }, {});
  const { exitCode, state, processId } = result;
  return { exitCode, state, processId, stdout: await textOf(result.stdout), stderr: await textOf(result.stderr) };
}

async function textOf(stream: { read(): AsyncIterable<Uint8Array> }): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.read()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export async function writeText(client: SandboxClient, path: string, text: string): Promise<void> {
  await client.files.write(path, Buffer.from(text), { expectedSha256: null });
}

export async function readText(client: SandboxClient, path: string): Promise<string> {
  return Buffer.from((await client.files.read(path)).bytes).toString('utf8');
}
