import { setTimeout } from 'node:timers/promises';
import { HostError, type Isolation } from '@oneslot/core';
import type { SandboxClient } from '@oneslot/sandboxd';
import type { EngineName, ImageState, SandboxEngine, SandboxRef } from './engine.ts';
import { connectAgent, ensureRunning, refOf, refuseForeignEngine, rowOf } from './open-sandbox.ts';
import { createPool, type Pool } from './pool.ts';
import { type Reaper, startReaper } from './reaper.ts';
import type { SandboxChanged, SandboxPhase, SandboxRows, SavedSandbox } from './sandbox-rows.ts';

export type { SandboxChanged, SandboxPhase, SandboxRows, SavedSandbox };

export type SessionSandboxesOptions = {
  engine: SandboxEngine;
  /** Why this engine: text for the page. */
  reason: string;
  store: SandboxRows;
  onChange(sessionId: string, change: SandboxChanged): void;
  /** Where failures nobody waits for are told. */
  onError?(error: unknown, doing: string): void;
  /**
   * Under which epoch a session's agent is taken over: that of its lease, so that an agent turns away who lost it.
   * Without it the start of this process counts. @throws HostError conflict while another runner holds the session
   */
  epochOf?(sessionId: string): number | Promise<number>;
  /** Warm sandboxes kept ready; only engines whose sandboxes cost time to start use them. */
  poolSize?: number;
  now?(): number;
};

export type SandboxDescription = {
  name: EngineName;
  isolation: Isolation;
  reason: string;
  imageState: ImageState;
  capabilities: string[];
};

export type SessionSandboxes = {
  /** Starts, reuses or reconnects; concurrent callers share. @throws HostError unavailable | conflict */
  open(sessionId: string): Promise<SandboxClient>;
  /** As open, for nobody to wait on; a failure is told by its phase and met again by the next open. */
  warm(sessionId: string): void;
  describe(): SandboxDescription;
  imageDigest(): string;
  /** Ends this runner's connection and nothing else. */
  leave(sessionId: string): void;
  /** Ends the processes, keeps the files. @throws HostError unavailable where they lie with another engine */
  stop(sessionId: string): Promise<void>;
  /** Ends the processes and deletes the files. @throws HostError unavailable where they lie with another engine */
  remove(sessionId: string): Promise<void>;
  /** Closes every connection; sandboxes that can outlive this process are stopped unless told otherwise. */
  close(options?: { keepRunning?: boolean }): Promise<void>;
};

type Entry = {
  client: SandboxClient | null;
  opening: Promise<SandboxClient> | null;
  ref: SandboxRef | null;
  bootId: string | null;
};

const restarted = 'The sandbox was restarted: processes are gone, files are kept.';
const stopGraceMs = 1_000;
const settleMs = 150;

/** One sandbox per session, opened when first needed and again whenever its connection or the sandbox itself was lost. */
export function createSessionSandboxes(options: SessionSandboxesOptions): SessionSandboxes {
  return new Sandboxes(options);
}

class Sandboxes implements SessionSandboxes {
  readonly #options: SessionSandboxesOptions;
  readonly #engine: SandboxEngine;
  readonly #store: SandboxRows;
  readonly #pool: Pool;
  readonly #reaper: Reaper;
  readonly #entries = new Map<string, Entry>();
  readonly #startedAt: number;

  constructor(options: SessionSandboxesOptions) {
    const { engine, store } = options;
    this.#options = options;
    this.#engine = engine;
    this.#store = store;
    this.#startedAt = this.#now();
    this.#pool = createPool({
      engine,
      // Below every lease: a sandbox that waits for a session is nobody's yet.
      epoch: 0,
      size: options.poolSize ?? (engine.capabilities().isolation === 'container' ? 1 : 0),
      onError: (error) => this.#report(error, 'keeping a warm sandbox'),
    });
    this.#reaper = startReaper({
      engine,
      known: async () => new Set((await store.list()).flatMap(({ volume }) => volume ?? [])),
      keeps: (sandboxId) => this.#pool.holds(sandboxId),
      onError: (error) => this.#report(error, 'removing sandboxes nobody knows'),
      now: () => this.#now(),
    });
    this.#pool.fill();
  }

  open(sessionId: string): Promise<SandboxClient> {
    const entry = this.#entries.get(sessionId) ?? { client: null, opening: null, ref: null, bootId: null };
    this.#entries.set(sessionId, entry);
    if (entry.client !== null) return Promise.resolve(entry.client);
    entry.opening ??= this.#openAnew(sessionId, entry).finally(() => {
      entry.opening = null;
    });
    return entry.opening;
  }

  warm(sessionId: string): void {
    this.open(sessionId).catch((error: unknown) => this.#report(error, 'warming a sandbox'));
  }

  describe(): SandboxDescription {
    const capabilities = this.#engine.capabilities();
    return {
      name: this.#engine.name,
      isolation: capabilities.isolation,
      reason: this.#options.reason,
      imageState: this.#engine.imageState(),
      capabilities: Object.entries(capabilities).flatMap(([name, value]) => (value === true ? [name] : [])),
    };
  }

  imageDigest(): string {
    return this.#engine.imageDigest();
  }

  leave(sessionId: string): void {
    const entry = this.#entries.get(sessionId);
    this.#entries.delete(sessionId);
    entry?.client?.close();
  }

  async stop(sessionId: string): Promise<void> {
    const ref = await this.#release(sessionId);
    if (ref === null) return;
    await this.#engine.stop(ref, stopGraceMs);
    await this.#store.save(rowOf(sessionId, this.#engine, ref, 'stopped'));
    this.#tell(sessionId, 'stopped');
  }

  async remove(sessionId: string): Promise<void> {
    const ref = await this.#release(sessionId);
    if (ref === null) return;
    await this.#engine.destroy(ref, { keepVolume: false });
    await this.#store.remove(sessionId);
  }

  async close({ keepRunning = false }: { keepRunning?: boolean } = {}): Promise<void> {
    await Promise.all([this.#reaper.close(), this.#pool.close()]);
    const refs = await Promise.all([...this.#entries.keys()].map((sessionId) => this.#releaseOwn(sessionId)));
    if (this.#engine.capabilities().survivesRunner && !keepRunning) {
      await Promise.all(refs.map((ref) => (ref === null ? null : this.#engine.stop(ref, stopGraceMs))));
    }
    await this.#engine.close();
  }

  async #openAnew(sessionId: string, entry: Entry): Promise<SandboxClient> {
    const beganAt = this.#now();
    // Asked first and told to the caller alone: who may not have it must not start it, and nothing is wrong with it.
    const epoch = (await this.#options.epochOf?.(sessionId)) ?? this.#startedAt;
    try {
      const client =
        (await this.#adoptMember(sessionId, entry)) ?? (await this.#startAndConnect(sessionId, entry, epoch));
      if (this.#entries.get(sessionId) !== entry) {
        client.close();
        throw new HostError('conflict', 'The sandbox was left while it was being opened.');
      }
      if (entry.bootId !== null && entry.bootId !== client.hello.bootId) this.#tell(sessionId, 'lost', restarted);
      entry.bootId = client.hello.bootId;
      entry.client = client;
      this.#tell(sessionId, 'ready', null, this.#now() - beganAt);
      this.#pool.fill();
      return client;
    } catch (error) {
      this.#tell(sessionId, 'failed', error instanceof Error ? error.message : String(error), this.#now() - beganAt);
      throw error;
    }
  }

  async #adoptMember(sessionId: string, entry: Entry): Promise<SandboxClient | null> {
    if ((await this.#store.find(sessionId)) !== null) return null;
    const member = await this.#pool.take();
    if (member === null) return null;
    await this.#store.save(rowOf(sessionId, this.#engine, member.ref, 'running'));
    entry.ref = member.ref;
    member.whenLost((reason) => void this.#noteLoss(sessionId, member.client, reason));
    return member.client;
  }

  async #startAndConnect(sessionId: string, entry: Entry, epoch: number): Promise<SandboxClient> {
    const tell = (phase: SandboxPhase, detail: string | null = null) => this.#tell(sessionId, phase, detail);
    const steps = { engine: this.#engine, store: this.#store, tell };
    const ref = await ensureRunning(sessionId, steps);
    entry.ref = ref;
    return connectAgent(ref, steps, {
      epoch,
      onLost: (client, reason) => void this.#noteLoss(sessionId, client, reason),
    });
  }

  /** Says what happened; the next open finds out whether to reconnect or to start again. */
  async #noteLoss(sessionId: string, client: SandboxClient, reason: string): Promise<void> {
    const entry = this.#entries.get(sessionId);
    if (entry?.client !== client || entry.ref === null) return;
    entry.client = null;
    try {
      // The stream ends a moment before the engine has noticed that the container did.
      await setTimeout(settleMs);
      const { state, exit } = await this.#engine.inspect(entry.ref);
      if (entry.client !== null || entry.opening !== null) return;
      const alive = state === 'running' || state === 'paused';
      const ended = `The sandbox ended (${exit?.reason ?? reason}). Processes are gone, files are kept.`;
      this.#tell(sessionId, 'lost', alive ? `The connection ended (${reason}).` : ended);
    } catch (error) {
      this.#tell(sessionId, 'lost', `The connection ended (${reason}).`);
      this.#report(error, 'inspecting a lost sandbox');
    }
  }

  /** One of another engine could not be opened here, so there is nothing to stop. */
  async #releaseOwn(sessionId: string): Promise<SandboxRef | null> {
    try {
      return await this.#release(sessionId);
    } catch (error) {
      if (error instanceof HostError) return null;
      throw error;
    }
  }

  /** Ends what this process holds of it; answers what the engine calls it, where there is anything. */
  async #release(sessionId: string): Promise<SandboxRef | null> {
    const entry = this.#entries.get(sessionId);
    // A failed opening was told to whoever waited for it; here only its end matters.
    await entry?.opening?.catch(() => undefined);
    this.#entries.delete(sessionId);
    entry?.client?.close();
    const saved = await this.#store.find(sessionId);
    if (saved === null) return null;
    refuseForeignEngine(saved, this.#engine);
    return refOf(saved);
  }

  #tell(sessionId: string, phase: SandboxPhase, detail: string | null = null, tookMs: number | null = null): void {
    const { isolation } = this.#engine.capabilities();
    const change: SandboxChanged = {
      kind: 'sandbox-changed',
      engine: this.#engine.name,
      isolation,
      phase,
      detail,
      tookMs,
    };
    this.#options.onChange(sessionId, change);
  }

  #report(error: unknown, doing: string): void {
    this.#options.onError?.(error, doing);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
