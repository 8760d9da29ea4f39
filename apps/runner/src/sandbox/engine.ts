import type { Duplex } from 'node:stream';
import type { Isolation } from '@oneslot/core';

export const engineNames = ['docker', 'bubblewrap', 'simulated', 'local-unsafe'] as const;
export type EngineName = (typeof engineNames)[number];
export type EngineCapabilities = {
  isolation: Isolation;
  pause: boolean;
  /** Interactive terminals. */
  tty: boolean;
  /** Memory, process and cpu limits hold per sandbox. */
  limits: boolean;
  /** A disk limit holds per sandbox. */
  quota: boolean;
  /** Sandboxes outlive this process. */
  survivesRunner: boolean;
};

/** `sandboxId` is stable for the life of a volume and never a session id: a pool member has none yet. */
export type SandboxSpec = { sandboxId: string; volume: string };
/** What the engine calls it (`ref`: container id, folder), where its files lie, and what it was made from. */
export type SandboxRef = { sandboxId: string; ref: string; volume: string; imageDigest: string };
export type SandboxState = 'absent' | 'created' | 'running' | 'paused' | 'exited';
export type SandboxExit = { code: number | null; oom: boolean; reason: string };
export type SandboxInspection = { state: SandboxState; exit?: SandboxExit };
export type ListedSandbox = SandboxRef & { createdAt: number };
export type EngineEvent = { sandboxId: string; kind: 'died' | 'oom'; exitCode: number | null };

/** `none`: nothing to build here. Otherwise what the page shows beside the engine's name. */
export type ImageState = 'none' | 'absent' | 'building' | 'ready' | 'failed';

/** How one kind of sandbox is made and how the ONE byte stream to its sandboxd is opened; the rest is the agent's. */
export type SandboxEngine = {
  readonly name: EngineName;
  capabilities(): EngineCapabilities;
  /** What an approval binds: known before anything was built, and different whenever the box would be. */
  imageDigest(): string;
  imageState(): ImageState;
  /** Makes whatever all sandboxes share. Concurrent callers share the work. @throws HostError unavailable */
  prepare(onPhase: (detail: string) => void): Promise<void>;
  /** Idempotent by sandbox id; the volume is made when it is not there. @throws HostError unavailable */
  create(spec: SandboxSpec): Promise<SandboxRef>;
  start(ref: SandboxRef): Promise<void>;
  stop(ref: SandboxRef, graceMs: number): Promise<void>;
  /** A sandbox that is gone already is no error. */
  destroy(ref: SandboxRef, options: { keepVolume: boolean }): Promise<void>;
  suspend?(ref: SandboxRef): Promise<void>;
  resume?(ref: SandboxRef): Promise<void>;
  open(ref: SandboxRef): Promise<Duplex>;
  inspect(ref: SandboxRef): Promise<SandboxInspection>;
  /** Every sandbox of this installation, whether it runs or not. */
  list(): Promise<ListedSandbox[]>;
  /** Ends when the signal does; an engine without events yields none. */
  events(signal: AbortSignal): AsyncIterable<EngineEvent>;
  /** Ends what cannot outlive this process. */
  close(): Promise<void>;
};
