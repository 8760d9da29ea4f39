import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { HostError } from '@oneslot/core';
import type {
  EngineCapabilities,
  EngineEvent,
  EngineName,
  SandboxEngine,
  SandboxExit,
  SandboxInspection,
  SandboxRef,
} from './engine.ts';

/** A sandboxd of this process: its one stream, and its end. */
export type RunningAgent = { stream: Duplex; kill(): void; exited: Promise<SandboxExit> };

export type FolderEngineOptions = {
  name: EngineName;
  /** Holds one folder per sandbox. */
  root: string;
  capabilities: EngineCapabilities;
  imageDigest: string;
  prepare?(): Promise<void>;
  /** Starts a sandboxd for the sandbox in `folder`; its files lie in `workspaceOf(folder)`. */
  launch(folder: string): RunningAgent | Promise<RunningAgent>;
};

type Slot = { agent: RunningAgent | null; taken: boolean; exit: SandboxExit | undefined };
type Wake = (event: EngineEvent) => void;

/** The one layout all of them keep, so that a session may move from one to another. */
export function workspaceOf(folder: string): string {
  return join(folder, 'workspace');
}

/** Engines whose sandbox is a folder and a child of this process: bubblewrap, simulated, local-unsafe. */
export function createFolderEngine(options: FolderEngineOptions): SandboxEngine {
  const slots = new Map<string, Slot>();
  const watchers = new Set<Wake>();
  const folderOf = (volume: string) => join(options.root, volume);

  async function start(ref: SandboxRef): Promise<void> {
    const slot = slots.get(ref.sandboxId) ?? { agent: null, taken: false, exit: undefined };
    slots.set(ref.sandboxId, slot);
    if (slot.agent !== null) return;
    const agent = await launchAgent(options, folderOf(ref.volume));
    Object.assign(slot, { agent, taken: false, exit: undefined });
    void agent.exited.then((exit) => {
      if (slot.agent !== agent) return;
      Object.assign(slot, { agent: null, exit });
      for (const wake of watchers) wake({ sandboxId: ref.sandboxId, kind: 'died', exitCode: exit.code });
    });
  }

  async function stop(ref: SandboxRef): Promise<void> {
    const agent = slots.get(ref.sandboxId)?.agent;
    if (agent === null || agent === undefined) return;
    agent.kill();
    await agent.exited;
  }

  return {
    name: options.name,
    capabilities: () => options.capabilities,
    imageDigest: () => options.imageDigest,
    imageState: () => 'none',
    prepare: async () => options.prepare?.(),
    async create({ sandboxId, volume }) {
      await mkdir(workspaceOf(folderOf(volume)), { recursive: true, mode: 0o700 });
      return { sandboxId, ref: volume, volume, imageDigest: options.imageDigest };
    },
    start,
    stop,
    async destroy(ref, { keepVolume }) {
      await stop(ref);
      slots.delete(ref.sandboxId);
      if (!keepVolume) await rm(folderOf(ref.volume), { recursive: true, force: true });
    },
    async open(ref) {
      const slot = slots.get(ref.sandboxId);
      // The agent speaks on its stdio, so a second controller means a second agent.
      if (slot?.agent && slot.taken) await stop(ref);
      await start(ref);
      const opened = slots.get(ref.sandboxId);
      if (!opened?.agent)
        throw new HostError('unavailable', `The ${options.name} sandbox ended as soon as it started.`);
      opened.taken = true;
      return opened.agent.stream;
    },
    inspect: (ref) => inspectFolder(folderOf(ref.volume), slots.get(ref.sandboxId)),
    async list() {
      const names = await readdir(options.root).catch(() => []);
      return Promise.all(names.map((name) => describeFolder(options, name)));
    },
    events: (signal) => follow(watchers, signal),
    async close() {
      const agents = [...slots.values()].flatMap(({ agent }) => agent ?? []);
      for (const agent of agents) agent.kill();
      await Promise.all(agents.map(({ exited }) => exited));
    },
  };
}

async function launchAgent(options: FolderEngineOptions, folder: string): Promise<RunningAgent> {
  try {
    return await options.launch(folder);
  } catch (cause) {
    if (cause instanceof HostError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new HostError('unavailable', `The ${options.name} sandbox could not be started: ${message}.`, { cause });
  }
}

async function inspectFolder(folder: string, slot: Slot | undefined): Promise<SandboxInspection> {
  if (slot?.agent) return { state: 'running' };
  const found = await stat(folder).catch(() => null);
  if (found === null) return { state: 'absent' };
  return slot?.exit ? { state: 'exited', exit: slot.exit } : { state: 'created' };
}

async function describeFolder({ root, imageDigest }: FolderEngineOptions, volume: string) {
  const { birthtimeMs } = await stat(join(root, volume));
  return { sandboxId: volume.replace(/^oneslot-/, ''), ref: volume, volume, imageDigest, createdAt: birthtimeMs };
}

async function* follow(watchers: Set<Wake>, signal: AbortSignal): AsyncGenerator<EngineEvent> {
  const queue: EngineEvent[] = [];
  let wake = () => {};
  const watcher: Wake = (event) => {
    queue.push(event);
    wake();
  };
  const end = () => wake();
  watchers.add(watcher);
  signal.addEventListener('abort', end);
  try {
    while (!signal.aborted) {
      const next = queue.shift();
      if (next) yield next;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    watchers.delete(watcher);
    signal.removeEventListener('abort', end);
  }
}
