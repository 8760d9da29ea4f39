import type { EnvelopeGone, EnvelopeInfo, EnvelopeMeta } from '@oneslot/core';

// Stored outputs, in types alone.

export type EnvelopeOwner = { organizationId: string; sessionId: string };
export type EnvelopeRows = {
  /** Makes the ref; the row is invisible until `finishEnvelope`. */
  openEnvelope(owner: EnvelopeOwner, meta: EnvelopeMeta): Promise<string>;
  /** Answers with the bytes the chunk takes as it is stored. */
  appendChunk(chunk: {
    ref: string;
    organizationId: string;
    index: number;
    offset: number;
    bytes: Uint8Array;
  }): Promise<number>;
  finishEnvelope(
    sessionId: string,
    ref: string,
    totals: { bytes: number; storedBytes: number; lines: number; sha256: string; cutOffset: number | null },
  ): Promise<EnvelopeInfo>;
  abortEnvelope(sessionId: string, ref: string): Promise<void>;
  envelopeInfo(sessionId: string, ref: string): Promise<EnvelopeInfo | null>;
  envelopeGone(sessionId: string, ref: string): Promise<EnvelopeGone | null>;
  /** Bytes [start, end); empty where nothing is. */
  readEnvelope(sessionId: string, ref: string, start: number, end: number): Promise<Uint8Array>;
  newestRefs(sessionId: string, limit: number): Promise<string[]>;
  /**
   * Evicts the oldest outputs of an organization that nobody holds, until `bytes` more fit its quota.
   * @throws HostError too_large where they do not fit all the same; then nothing was evicted
   */
  makeRoom(organizationId: string, bytes: number, now: Date): Promise<void>;
};

/** What the installation keeps of stored outputs where an organization says nothing else. */
export type OutputLimits = { retentionDays: number; quotaMib: number };
export type OutputSettings = OutputLimits & {
  hold: boolean;
  /** Whether the organization chose the number itself. */
  ownRetention: boolean;
  ownQuota: boolean;
  usedBytes: number;
  outputs: number;
};
export type SweptOutputs = { expired: number; evicted: number; abandoned: number };
/** Retention, quota and hold of stored outputs. */
export type OutputStore = {
  /**
   * Removes what is past its days or over quota, and what a crash left half-written: everything still open that began
   * at `abandonedBefore` or earlier. Held outputs and texts of conversations stay.
   */
  sweepOutputs(request: { now: Date; abandonedBefore: Date }): Promise<SweptOutputs>;
  outputSettings(organizationId: string): Promise<OutputSettings>;
  /** Null goes back to what the installation says; absent changes nothing. */
  setOutputLimits(
    organizationId: string,
    limits: { retentionDays?: number | null | undefined; quotaMib?: number | null | undefined },
  ): Promise<void>;
  /** Of one session, or of all where it is null. */
  setOutputHold(owner: { organizationId: string; sessionId: string | null }, hold: boolean): Promise<void>;
};
