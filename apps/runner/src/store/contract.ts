import type { Isolation, JsonObject, Mode } from '@oneslot/core';

import type { ApprovalStore, GrantStore, QuestionStore } from './answer-contract.ts';
import type { Caller, Role } from './caller.ts';
import type { EnvelopeRows, OutputStore } from './output-contract.ts';

export type {
  ApprovalRow,
  ApprovalState,
  ApprovalStore,
  DecideRequest,
  GrantStore,
  PendingApproval,
  QuestionRow,
  QuestionStore,
} from './answer-contract.ts';
export type { Caller, Role } from './caller.ts';
export type {
  EnvelopeOwner,
  EnvelopeRows,
  OutputLimits,
  OutputSettings,
  OutputStore,
  SweptOutputs,
} from './output-contract.ts';

// What the stores offer, in types alone: the router's type, and with it the web build, must not load the database client.

export type SessionStatus = 'idle' | 'running' | 'waiting' | 'failed';
export type Visibility = 'private' | 'organization';

export type Me = {
  user: { id: string; name: string; email: string; locale: string | null };
  organization: { id: string; name: string; slug: string };
  role: Role;
  approver: boolean;
};

export type SessionState = {
  id: string;
  organizationId: string;
  ownerId: string;
  title: string;
  status: SessionStatus;
  mode: Mode;
  modelId: string | null;
  nextSeq: number;
  leaseEpoch: number;
  leaseRunner: string | null;
  createdAt: Date;
};
export type SessionRow = {
  id: string;
  title: string;
  status: SessionStatus;
  mode: Mode;
  modelId: string | null;
  pendingApprovals: number;
  createdAt: Date;
  updatedAt: Date;
  lastText: string;
};
export type SessionDetail = SessionRow & {
  owner: { id: string; name: string };
  usage: { inputTokens: number; cachedTokens: number; outputTokens: number };
  queued: { messageId: string; text: string }[];
};

export type SessionStore = {
  createSession(input: {
    caller: Caller;
    title: string;
    mode: Mode;
    modelId: string | null;
    visibility: Visibility;
  }): Promise<string>;
  /** Newest first; `query` looks at title and last text. */
  listSessions(
    caller: Caller,
    filter: { query?: string; cursor?: string; limit: number },
  ): Promise<{ items: SessionRow[]; nextCursor: string | null }>;
  getSession(caller: Caller, sessionId: string): Promise<SessionDetail | null>;
  /** Whether this person may see it: null for a foreign, a private and an unknown one alike. */
  findSession(caller: Caller, sessionId: string): Promise<SessionState | null>;
  /** For the runner's own work; nothing a person sent may come here unchecked. */
  getSessionState(sessionId: string): Promise<SessionState | null>;
  removeSession(caller: Caller, sessionId: string): Promise<boolean>;
  /** Null while another live lease exists. Expiry is 15 s after `now`. */
  takeLease(sessionId: string, runnerId: string, now: Date): Promise<{ epoch: number } | null>;
  /** False when the lease was lost. */
  renewLease(sessionId: string, runnerId: string, epoch: number, now: Date): Promise<boolean>;
  /** False when it was lost before. */
  releaseLease(sessionId: string, runnerId: string, epoch: number): Promise<boolean>;
  /** The newest epoch, and whether a live lease of another runner has it; null where the session is gone. */
  leaseOf(sessionId: string, runnerId: string, now: Date): Promise<{ epoch: number; isElsewhere: boolean } | null>;
  /** At boot on the embedded database, whose folder lock proves that every old lease is dead. */
  clearLeases(): Promise<void>;
  /** Sessions with queued messages or an unfinished turn and no live lease. */
  sessionsWithWork(now: Date): Promise<string[]>;
};

export type QueuedMessage = { messageId: string; text: string; by: string };
export type MessageStore = {
  /** False when this id was already sent to this session. */
  queueMessage(row: {
    sessionId: string;
    organizationId: string;
    messageId: string;
    text: string;
    by: string;
  }): Promise<boolean>;
  /** Marks all queued ones taken and returns them in order. With `epoch` only while that lease is held. */
  takeMessages(sessionId: string, options?: { epoch?: number; limit?: number }): Promise<QueuedMessage[]>;
  listQueued(sessionId: string): Promise<QueuedMessage[]>;
  unqueueMessage(sessionId: string, messageId: string): Promise<boolean>;
};

export type TurnStatus = 'running' | 'completed' | 'stopped' | 'failed' | 'halted';
export type TurnRow = {
  id: string;
  sessionId: string;
  organizationId: string;
  modelId: string;
  status: TurnStatus;
  epoch: number;
  startedAt: Date;
};
export type TurnStore = {
  createTurn(row: {
    id: string;
    sessionId: string;
    organizationId: string;
    modelId: string;
    epoch: number;
  }): Promise<void>;
  finishTurn(turnId: string, end: { status: TurnStatus; reason: string | null; at: Date }): Promise<void>;
  openTurn(sessionId: string): Promise<TurnRow | null>;
  /** Kept with the running turn, so that it reaches another runner and outlives this one. False where none runs. */
  requestStop(sessionId: string): Promise<boolean>;
  stopRequested(turnId: string): Promise<boolean>;
};

export type SandboxRow = {
  id: string;
  sessionId: string;
  organizationId: string;
  engine: string;
  ref: string;
  volume: string | null;
  imageDigest: string | null;
  state: string;
  createdAt: Date;
};
export type SandboxStore = {
  findSandbox(sessionId: string): Promise<SandboxRow | null>;
  /** One row per session: a second save replaces the first. */
  saveSandbox(row: Omit<SandboxRow, 'id' | 'createdAt'>): Promise<SandboxRow>;
  removeSandbox(sessionId: string): Promise<void>;
  listSandboxes(): Promise<SandboxRow[]>;
};

export type Dialect = 'openai-chat' | 'openai-responses';
/** A model of a provider the organization added. `providerId` leads to the key, which only `readModelKey` decrypts. */
export type ModelRow = {
  id: string;
  organizationId: string;
  name: string;
  providerId: string;
  providerName: string;
  dialect: Dialect;
  baseUrl: string;
  hasKey: boolean;
};
export type ModelStore = {
  listModels(organizationId: string): Promise<ModelRow[]>;
  getModel(organizationId: string, modelId: string): Promise<ModelRow | null>;
  readModelKey(organizationId: string, providerId: string): Promise<string | null>;
  addProvider(row: {
    organizationId: string;
    name: string;
    baseUrl: string;
    apiKey: string | null;
    models: readonly string[];
    dialect: Dialect;
  }): Promise<string>;
  removeProvider(organizationId: string, providerId: string): Promise<boolean>;
  defaultModel(organizationId: string): Promise<string | null>;
  setDefaultModel(organizationId: string, modelId: string): Promise<void>;
  /** The model that summarizes long outputs; null where there is none. */
  cheapModel(organizationId: string): Promise<string | null>;
  setCheapModel(organizationId: string, modelId: string | null): Promise<void>;
};

export type MemberStore = {
  /** Null when the sign-in has ended or its person belongs to no organization any more. */
  findSignedIn(authSessionId: string, now: Date): Promise<Me | null>;
};

export type AuditStore = {
  record(row: {
    organizationId: string;
    actorId: string | null;
    action: string;
    target: string | null;
    outcome: 'ok' | 'refused' | 'failed';
    detail?: JsonObject;
  }): Promise<void>;
};

/** How one model calls tools: what it did, and how often it had to be mended, refused or stopped. */
export type ModelStatistics = {
  modelId: string;
  answers: number;
  calls: number;
  /** Calls whose arguments or name had to be mended. */
  mended: number;
  /** Call-shaped texts that were removed. */
  forged: number;
  /** Calls that were not run because they repeated others. */
  loops: number;
  /** Rungs of the ladders; `name` stands for a mended tool name. */
  rungs: { name: string; count: number }[];
  /** Codes of calls that were refused or sent back. */
  refusals: { name: string; count: number }[];
};
export type SlotCountStore = {
  /** Most calls first. */
  byModel(organizationId: string, since: Date): Promise<ModelStatistics[]>;
};

export type Stores = {
  sessions: SessionStore;
  messages: MessageStore;
  turns: TurnStore;
  approvals: ApprovalStore;
  grants: GrantStore;
  envelopes: EnvelopeRows;
  outputs: OutputStore;
  questions: QuestionStore;
  sandboxes: SandboxStore;
  models: ModelStore;
  members: MemberStore;
  audit: AuditStore;
  slotCounts: SlotCountStore;
};

export type { Isolation };
