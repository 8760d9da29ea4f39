import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { HostError } from '@oneslot/core';
import type {
  EngineCapabilities,
  EngineEvent,
  EngineName,
  ListedSandbox,
  SandboxEngine,
  SandboxExit,
  SandboxInspection,
  SandboxRef,
  SandboxSpec,
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
export class FolderEngine implements SandboxEngine {
  readonly name: EngineName;
  readonly #options: FolderEngineOptions;
  readonly #slots = new Map<string, Slot>();
  readonly #watchers = new Set<Wake>();

  constructor(options: FolderEngineOptions) {
    this.name = options.name;
    this.#options = options;
  }

  capabilities = () => this.#options.capabilities;
  imageDigest = () => this.#options.imageDigest;
  imageState = () => 'none' as const;
  prepare = async () => this.#options.prepare?.();

  async create({ sandboxId, volume }: SandboxSpec): Promise<SandboxRef> {
    await mkdir(workspaceOf(this.#folderOf(volume)), { recursive: true, mode: 0o700 });
    return { sandboxId, ref: volume, volume, imageDigest: this.#options.imageDigest };
  }

  async start(ref: SandboxRef): Promise<void> {
    const slot = this.#slots.get(ref.sandboxId) ?? { agent: null, taken: false, exit: undefined };
    this.#slots.set(ref.sandboxId, slot);
    if (slot.agent !== null) return;
    const agent = await launchAgent(this.#options, this.#folderOf(ref.volume));
    Object.assign(slot, { agent, taken: false, exit: undefined });
    void agent.exited.then((exit) => {
      if (slot.agent !== agent) return;
      Object.assign(slot, { agent: null, exit });
      for (const wake of this.#watchers) wake({ sandboxId: ref.sandboxId, kind: 'died', exitCode: exit.code });
    });
  }

  async stop(ref: SandboxRef): Promise<void> {
    const agent = this.#slots.get(ref.sandboxId)?.agent;
    agent?.kill();
    await agent?.exited;
  }

  async destroy(ref: SandboxRef, { keepVolume }: { keepVolume: boolean }): Promise<void> {
    await this.stop(ref);
    this.#slots.delete(ref.sandboxId);
    if (!keepVolume) await rm(this.#folderOf(ref.volume), { recursive: true, force: true });
  }

  async open(ref: SandboxRef): Promise<Duplex> {
    // The agent speaks on its stdio, so a second controller means a second agent.
    if (this.#slots.get(ref.sandboxId)?.taken) await this.stop(ref);
    await this.start(ref);
    const slot = this.#slots.get(ref.sandboxId);
    if (!slot?.agent) throw new HostError('unavailable', `The ${this.name} sandbox ended as soon as it started.`);
    slot.taken = true;
    return slot.agent.stream;
  }

  inspect(ref: SandboxRef): Promise<SandboxInspection> {
    return inspectFolder(this.#folderOf(ref.volume), this.#slots.get(ref.sandboxId));
  }

  async list(): Promise<ListedSandbox[]> {
    const names = existsSync(this.#options.root) ? await readdir(this.#options.root) : [];
    return Promise.all(names.map((name) => describeFolder(this.#options, name)));
  }

  events = (signal: AbortSignal) => follow(this.#watchers, signal);

  async close(): Promise<void> {
    const agents = [...this.#slots.values()].flatMap(({ agent }) => agent ?? []);
    for (const agent of agents) agent.kill();
    await Promise.all(agents.map(({ exited }) => exited));
  }

  #folderOf(volume: string): string {
    return join(this.#options.root, volume);
  }
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
