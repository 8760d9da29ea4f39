import type { Answer, ApprovalRequest, JsonObject, Question } from '@oneslot/core';
import type { Caller } from './caller.ts';

// What people answer: approvals, what they go on to mean, and questions.

export type ApprovalState = 'pending' | 'approved' | 'edited' | 'denied' | 'expired' | 'cancelled' | 'reopened';
export type ApprovalRow = {
  id: string;
  organizationId: string;
  sessionId: string;
  callId: string;
  tool: string;
  title: string;
  level: string;
  reason: string;
  digest: string;
  canonicalText: string;
  input: JsonObject;
  scopeFingerprint: string | null;
  scopeWords: string | null;
  scopeExamples: string[];
  requestedById: string;
  state: ApprovalState;
  scope: 'once' | 'session' | null;
  decidedById: string | null;
  decidedReason: string | null;
  decidedInput: JsonObject | null;
  deadline: Date;
  createdAt: Date;
};
export type PendingApproval = {
  id: string;
  sessionId: string;
  /** Null where this person may answer the request and not open the session. */
  sessionTitle: string | null;
  callId: string;
  tool: string;
  title: string;
  level: string;
  reason: string;
  digest: string;
  canonicalText: string;
  input: JsonObject;
  scopeWords: string | null;
  scopeExamples: string[];
  requestedBy: { id: string; name: string };
  createdAt: Date;
  deadline: Date;
};
export type DecideRequest = {
  approvalId: string;
  digest: string;
  decision: 'approve_once' | 'approve_session' | 'deny' | 'edit';
  reason?: string;
  input?: JsonObject;
};
/** `decided: false` means the row was no longer pending; `row` is how it stands now. */
type DecideOutcome = { decided: boolean; row: ApprovalRow };
export type ApprovalStore = {
  /** Idempotent by call and digest: the row that is there already is returned, whatever its state. */
  openApproval(row: {
    organizationId: string;
    sessionId: string;
    requestedById: string;
    request: ApprovalRequest;
    deadline: Date;
  }): Promise<ApprovalRow>;
  /** One UPDATE … WHERE state = 'pending' and the digest is that one; null for an id the caller may not see. */
  decideApproval(caller: Caller, request: DecideRequest, now: Date): Promise<DecideOutcome | null>;
  /** The newest row of that call. */
  findApproval(sessionId: string, callId: string): Promise<ApprovalRow | null>;
  listPending(caller: Caller): Promise<PendingApproval[]>;
  /** Rows whose deadline passed, now expired. */
  expireApprovals(now: Date): Promise<ApprovalRow[]>;
  /** Pending rows of a call or of a whole session; returns those that changed. */
  cancelApprovals(
    sessionId: string,
    options: { callId?: string; to: 'cancelled' | 'reopened' },
  ): Promise<ApprovalRow[]>;
};

type GrantKind = 'grant' | 'denial';
type GrantRow = {
  id: string;
  kind: GrantKind;
  fingerprint: string;
  words: string;
  reason: string | null;
  grantedById: string;
  createdAt: Date;
  expiresAt: Date | null;
};
export type GrantStore = {
  /** Those that have not expired, both kinds unless one is named. */
  listGrants(sessionId: string, now: Date, kind?: GrantKind): Promise<GrantRow[]>;
  addGrant(row: {
    organizationId: string;
    sessionId: string;
    kind: GrantKind;
    fingerprint: string;
    words: string;
    reason: string | null;
    grantedById: string;
    expiresAt: Date | null;
  }): Promise<void>;
  /** False where that session has no such row. */
  removeGrant(sessionId: string, id: string): Promise<boolean>;
};

export type QuestionRow = {
  sessionId: string;
  organizationId: string;
  callId: string;
  questions: Question[];
  answers: Answer[] | null;
  state: 'open' | 'answered' | 'cancelled';
};
export type QuestionStore = {
  /** Idempotent by call. */
  openQuestion(row: {
    sessionId: string;
    organizationId: string;
    callId: string;
    questions: readonly Question[];
  }): Promise<QuestionRow>;
  /** False when it was no longer open. */
  answerQuestion(sessionId: string, callId: string, answers: readonly Answer[]): Promise<boolean>;
  cancelQuestion(sessionId: string, callId: string): Promise<void>;
  findQuestion(sessionId: string, callId: string): Promise<QuestionRow | null>;
};
