import type { SessionEvent } from '@oneslot/core';

export type SandboxChanged = Extract<SessionEvent, { kind: 'sandbox-changed' }>;
export type SandboxPhase = SandboxChanged['phase'];

/** What is kept of a session's sandbox; one row per session. */
export type SavedSandbox = {
  sessionId: string;
  engine: string;
  ref: string;
  volume: string | null;
  imageDigest: string | null;
  state: string;
};
export type SandboxRows = {
  find(sessionId: string): Promise<SavedSandbox | null>;
  /** A second save of a session replaces the first. */
  save(row: SavedSandbox): Promise<void>;
  /** Of every organization. */
  list(): Promise<SavedSandbox[]>;
  remove(sessionId: string): Promise<void>;
};
