import { type ApprovalDecision, type ApprovalPort, type ApprovalRequest, type Clock, ToolError } from '@oneslot/core';
import type { EventLog } from '../sessions/event-log.ts';
import type { SessionLog } from '../sessions/session-log.ts';
import type { ApprovalRow, ApprovalStore } from '../store/contract.ts';
import { waitForRow } from './wait-for-row.ts';

export type InboxDeps = {
  approvals: ApprovalStore;
  log: EventLog;
  own: SessionLog;
  clock: Clock;
  session: { id: string; organizationId: string };
  /** Who asked for the work: the writer of the message this turn answers. */
  requestedBy(): string;
  /** Ids people were told of already; a re-delivered call must not ask twice. */
  announced: Set<string>;
  /** Called with how many requests of this session wait now. */
  onWaiting(waiting: number): void;
  report(problem: { message: string; cause: unknown }): void;
};

const deadlineMs = 24 * 60 * 60 * 1000;

/** Asks people through a row and waits as long as it takes. First the row, then the event: a crash between loses nothing. */
export function createApprovalInbox(deps: InboxDeps): ApprovalPort {
  let waiting = 0;
  const count = (step: 1 | -1) => {
    waiting += step;
    deps.onWaiting(waiting);
  };
  return {
    async request(request, signal) {
      await reopen(request, deps);
      const row = await deps.approvals.openApproval({
        organizationId: deps.session.organizationId,
        sessionId: deps.session.id,
        requestedById: deps.requestedBy(),
        request,
        deadline: new Date(deps.clock.now() + deadlineMs),
      });
      if (row.state !== 'pending') return toDecision(row);
      if (!deps.announced.has(row.id)) await announce(row, request, deps);
      count(1);
      try {
        return await waitForDecision(row, signal, deps);
      } finally {
        count(-1);
      }
    },
  };
}

/** What was asked before under another digest describes a world that is gone; its card must not be answered any more. */
async function reopen(request: ApprovalRequest, deps: InboxDeps): Promise<void> {
  const before = await deps.approvals.findApproval(deps.session.id, request.callId);
  if (before?.state !== 'pending' || before.digest === request.digest) return;
  const withdrawn = { callId: request.callId, to: 'reopened' } as const;
  const changed = await deps.approvals.cancelApprovals(deps.session.id, withdrawn);
  await deps.own.append(changed.map((row) => ended(row, 'reopened')));
}

async function announce(row: ApprovalRow, request: ApprovalRequest, deps: InboxDeps): Promise<void> {
  await deps.own.append([
    {
      kind: 'approval-required',
      approvalId: row.id,
      callId: row.callId,
      tool: row.tool,
      title: row.title,
      level: request.level,
      reason: row.reason,
      digest: row.digest,
      canonicalText: row.canonicalText,
      input: row.input,
      scopeWords: row.scopeWords,
      scopeExamples: row.scopeExamples,
      deadline: row.deadline.getTime(),
    },
  ]);
  deps.announced.add(row.id);
}

async function waitForDecision(row: ApprovalRow, signal: AbortSignal, deps: InboxDeps): Promise<ApprovalDecision> {
  const timer = new AbortController();
  const deadline = deps.clock.sleep(Math.max(0, row.deadline.getTime() - deps.clock.now()), timer.signal);
  const wait = { log: deps.log, sessionId: deps.session.id, signal, deadline };
  const look = async () => {
    const now = await deps.approvals.findApproval(deps.session.id, row.callId);
    return now && now.id === row.id && now.state !== 'pending' ? now : null;
  };
  const decided = await waitForRow(wait, look).finally(() => timer.abort());
  // Cancel wins over an answer that arrives in the same moment.
  if (signal.aborted) return cancel(row, deps);
  if (decided) return toDecision(decided);
  await expireDue({ ...deps, now: new Date(deps.clock.now()) });
  return { kind: 'expired' };
}

/** A runner that only goes down leaves the request pending: whoever takes the session over waits on. */
async function cancel(row: ApprovalRow, deps: InboxDeps): Promise<never> {
  if (deps.own.open) {
    const changed = await deps.approvals.cancelApprovals(deps.session.id, { callId: row.callId, to: 'cancelled' });
    await deps.own.append(changed.map((one) => ended(one, 'cancelled')));
  }
  throw new ToolError('cancelled', 'The turn was stopped while this call waited for approval.');
}

type ExpiryDeps = {
  approvals: Pick<ApprovalStore, 'expireApprovals'>;
  log: Pick<EventLog, 'append'>;
  now: Date;
  report(problem: { message: string; cause: unknown }): void;
};

/**
 * Closes every request whose deadline has passed, of whichever session; exactly one caller gets each row. An event that
 * cannot be written keeps no other from being: the row is closed already, and its session mends the log when it resumes.
 */
export async function expireDue({ approvals, log, now, report }: ExpiryDeps): Promise<ApprovalRow[]> {
  const expired = await approvals.expireApprovals(now);
  for (const row of expired) {
    const written = log.append(row.sessionId, [ended(row, 'expired')]);
    await written.catch((cause) => report({ message: `Approval ${row.id} expired without an event.`, cause }));
  }
  return expired;
}

function ended(row: ApprovalRow, decision: 'cancelled' | 'expired' | 'reopened') {
  const { id: approvalId, callId } = row;
  return { kind: 'approval-decided', approvalId, callId, decision, scope: null, by: null, reason: null } as const;
}

function toDecision(row: ApprovalRow): ApprovalDecision {
  const by = row.decidedById ?? 'unknown';
  if (row.state === 'approved') return { kind: 'approved', scope: row.scope ?? 'once', by, digest: row.digest };
  if (row.state === 'edited' && row.decidedInput) return { kind: 'edited', input: row.decidedInput, by };
  if (row.state === 'denied') return { kind: 'denied', by, reason: row.decidedReason };
  if (row.state === 'expired') return { kind: 'expired' };
  throw new ToolError('cancelled', 'This request for approval was withdrawn.');
}
