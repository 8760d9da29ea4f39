import type { JsonObject } from '../json.ts';
import type { Level, PolicyVerdict } from './policy.ts';

/** A stored output that a call takes as text: its hash stands for its bytes. */
export type BoundInput = { ref: string; bytes: number; sha256: string };
export type Precondition = { path: string; sha256: string | null };

/** The canonical bytes a person approves: what is shown is what is hashed is what runs. */
export type ApprovalSubject = {
  tool: string;
  toolVersion: string;
  input: JsonObject;
  cwd: string;
  env: { name: string; valueSha256: string }[];
  paths: string[];
  hosts: string[];
  imageDigest: string;
  preconditions: Precondition[];
  /** Present only where the input names stored outputs. */
  inputs?: BoundInput[];
};
export type ApprovalRequest = {
  callId: string;
  level: Level;
  reason: string;
  subject: ApprovalSubject;
  digest: string;
  canonicalText: string;
  /** What "for this session" would admit, in words with examples; null where only this exact call can be approved. */
  sessionScope: { fingerprint: string; words: string; examples: string[] } | null;
  title: string;
  /** What a rule demands of those who answer; absent means anyone who may. */
  approvers?: NonNullable<PolicyVerdict['approvers']>;
};
export type ApprovalDecision =
  | { kind: 'approved'; scope: 'once' | 'session'; by: string; digest: string }
  | { kind: 'edited'; input: JsonObject; by: string }
  | { kind: 'denied'; by: string; reason: string | null }
  | { kind: 'expired' }
  | { kind: 'no_channel' };

/** Asks people and waits as long as it takes; the row comes first, the event second. Re-delivered calls find their row. */
export type ApprovalPort = { request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> };

/** Reads what a subject binds: resolved paths and their hashes, directory, environment, image. */
export type SubjectPort = {
  describe(
    paths: readonly string[],
  ): Promise<{ cwd: string; env: ApprovalSubject['env']; imageDigest: string; preconditions: Precondition[] }>;
};
