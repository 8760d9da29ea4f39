import { join } from 'node:path';
import { HostError, type Isolation } from '@oneslot/core';
import { createBubblewrapEngine, whyNoBubblewrap } from './bubblewrap.ts';
import { DockerEngine } from './docker.ts';
import { type DockerHost, defaultDockerHost, whyNoDocker } from './docker-host.ts';
import type { EngineName, SandboxEngine } from './engine.ts';
import { readImageContext } from './image-context.ts';
import { createLocalUnsafeEngine } from './local-unsafe.ts';
import { createSimulatedEngine } from './simulated.ts';

export type EngineConfig = DockerHost & {
  /** `auto`: the first of docker, bubblewrap, simulated that works here. */
  engine: 'auto' | EngineName;
  /** The address the server listens on; weak walls are refused beyond loopback. */
  listenHost: string;
  /** Members of the installation beyond the first make the weak walls unacceptable as well. */
  memberCount?: number;
  dataDir: string;
  installationId: string;
  /** The checkout: docker/ and packages/sandboxd lie below it. */
  rootDir: string;
  /** PATH of local-unsafe's children. */
  path?: string;
};

export type EngineChoice = { name: EngineName; available: boolean; why: string };
export type ChosenEngine = {
  engine: SandboxEngine;
  name: EngineName;
  isolation: Isolation;
  /** Why this one and what it means, in words for people. */
  reason: string;
  /** Every engine, and whether it could be chosen here. */
  engines: EngineChoice[];
};

const automatic: readonly EngineName[] = ['docker', 'bubblewrap', 'simulated'];

const meanings: Record<EngineName, string> = {
  docker: 'Each session runs in a hardened container of its own, without network.',
  bubblewrap: 'Each session runs in Linux namespaces of its own, without network; memory and disk are not limited.',
  simulated:
    'Commands run in a simulated shell that starts no program of this machine; installing packages, language servers and previews need Docker.',
  'local-unsafe':
    'DANGER: commands run on this machine with your own rights. Nothing is isolated and nothing is approved automatically.',
};

/** @throws HostError unavailable when the engine asked for does not work here, forbidden when it may not be used */
export async function chooseEngine(config: EngineConfig): Promise<ChosenEngine> {
  const engines = await probeEngines(config);
  const found = (name: EngineName) => engines.find((choice) => choice.name === name);
  const wanted = config.engine === 'auto' ? automatic.find((name) => found(name)?.available) : config.engine;
  const choice = found(wanted ?? 'simulated');
  if (choice === undefined) throw new HostError('invalid', `There is no engine "${config.engine}".`);
  if (!choice.available) {
    throw new HostError('unavailable', `The engine ${choice.name} cannot be used here: ${choice.why}.`, {
      next: 'Mend that, or leave ONESLOT_ENGINE unset to take the best one that works.',
    });
  }
  const engine = await createEngine(choice.name, config);
  return {
    engine,
    name: choice.name,
    isolation: engine.capabilities().isolation,
    reason: explain(choice.name, config, engines),
    engines,
  };
}

async function probeEngines(config: EngineConfig): Promise<EngineChoice[]> {
  const [docker, bubblewrap] = await Promise.all([whyNotDocker(config), whyNotBubblewrap(config)]);
  const choice = (name: EngineName, whyNot: string | null): EngineChoice => ({
    name,
    available: whyNot === null,
    why: whyNot ?? meanings[name],
  });
  return [
    choice('docker', docker),
    choice('bubblewrap', bubblewrap),
    choice('simulated', null),
    choice(
      'local-unsafe',
      config.engine === 'local-unsafe' ? whyTooExposed(config) : 'it must be named by ONESLOT_ENGINE',
    ),
  ];
}

async function whyNotDocker(config: EngineConfig): Promise<string | null> {
  if (config.engine !== 'auto' && config.engine !== 'docker') return 'another engine was asked for';
  try {
    const why = await whyNoDocker(config);
    return why === null ? null : `no Docker engine answers at ${config.dockerHost ?? defaultDockerHost}: ${why}`;
  } catch (error) {
    if (error instanceof HostError) return error.message;
    throw error;
  }
}

async function whyNotBubblewrap(config: EngineConfig): Promise<string | null> {
  if (config.engine !== 'auto' && config.engine !== 'bubblewrap') return 'another engine was asked for';
  return whyTooExposed(config) ?? (await whyNoBubblewrap());
}

/** Null on a loopback host with one member. */
export function whyTooExposed({
  listenHost,
  memberCount = 1,
}: Pick<EngineConfig, 'listenHost' | 'memberCount'>): string | null {
  const loopback = listenHost === 'localhost' || listenHost === '::1' || listenHost.startsWith('127.');
  if (!loopback) return `it has no wall between users, and the server listens on ${listenHost}; Docker has one`;
  if (memberCount > 1) return `it has no wall between users, and there are ${memberCount} members; Docker has one`;
  return null;
}

function explain(name: EngineName, config: EngineConfig, engines: readonly EngineChoice[]): string {
  if (config.engine !== 'auto') return `${meanings[name]} Chosen by ONESLOT_ENGINE.`;
  const passed = engines.slice(
    0,
    engines.findIndex((choice) => choice.name === name),
  );
  const why = passed.map((choice) => `${choice.name}: ${choice.why}`).join('; ');
  return passed.length === 0
    ? meanings[name]
    : `${meanings[name]} Chosen because better ones do not work here (${why}).`;
}

async function createEngine(name: EngineName, config: EngineConfig): Promise<SandboxEngine> {
  const { dataDir, installationId, rootDir } = config;
  const sources = {
    dockerfile: join(rootDir, 'docker/sandbox.Dockerfile'),
    sandboxdFolder: join(rootDir, 'packages/sandboxd'),
  };
  if (name === 'simulated') return createSimulatedEngine({ dataDir });
  if (name === 'docker') {
    const host = {
      ...(config.dockerHost === undefined ? {} : { dockerHost: config.dockerHost }),
      ...(config.certificates === undefined ? {} : { certificates: config.certificates }),
    };
    const seccompFile = join(rootDir, 'docker/seccomp.json');
    return new DockerEngine({ ...host, installationId, sources, seccompFile }).load();
  }
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  const context = await readImageContext({ ...sources, arch });
  const nodePath = process.execPath;
  if (name === 'bubblewrap') return createBubblewrapEngine({ dataDir, context, nodePath });
  return createLocalUnsafeEngine({ dataDir, context, nodePath, path: config.path ?? '/usr/local/bin:/usr/bin:/bin' });
}
