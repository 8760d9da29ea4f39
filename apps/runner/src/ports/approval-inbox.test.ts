import type { ApprovalRequest, Clock, SessionEvent } from '@oneslot/core';
import { describe, expect, test } from 'vitest';
import type { EventLog } from '../sessions/event-log.ts';
import type { SessionLog } from '../sessions/session-log.ts';
import type { ApprovalRow, ApprovalStore } from '../store/contract.ts';
import { createApprovalInbox } from './approval-inbox.ts';

const request: ApprovalRequest = {
  callId: 'c1',
  level: 'required',
  reason: 'runs a command',
  subject: {
    tool: 'run_command',
    toolVersion: 'v',
    input: { command: 'x' },
    cwd: '',
    env: [],
    paths: [],
    hosts: [],
    imageDigest: 'i',
    preconditions: [],
  },
  digest: 'd1',
  canonicalText: '{}',
  sessionScope: null,
  title: 'x',
};

/** One row, one log, and a clock whose sleepers end when told. */
function world() {
  const rows: ApprovalRow[] = [];
  const events: SessionEvent[] = [];
  const wakes = new Set<() => void>();
  const waiting: number[] = [];
  let ring = () => {};
  let open = true;
  const alarm = new Promise<void>((resolve) => {
    ring = resolve;
  });
  const clock: Clock = { now: () => 0, sleep: () => alarm };
  const approvals: Pick<ApprovalStore, 'openApproval' | 'findApproval' | 'cancelApprovals' | 'expireApprovals'> = {
    async openApproval({ request: asked, organizationId, sessionId, requestedById, deadline }) {
      const known = rows.find((row) => row.callId === asked.callId && row.digest === asked.digest);
      if (known) return known;
      const row: ApprovalRow = {
        id: `a${rows.length + 1}`,
        organizationId,
        sessionId,
        callId: asked.callId,
        tool: asked.subject.tool,
        title: asked.title,
        level: asked.level,
        reason: asked.reason,
        digest: asked.digest,
        canonicalText: asked.canonicalText,
        input: asked.subject.input,
        scopeFingerprint: null,
        scopeWords: null,
        scopeExamples: [],
        requestedById,
        state: 'pending',
        scope: null,
        decidedById: null,
        decidedReason: null,
        decidedInput: null,
        deadline,
        createdAt: new Date(0),
      };
      rows.push(row);
      return row;
    },
    findApproval: async () => rows.at(-1) ?? null,
    cancelApprovals: async (_session, { to }) =>
      rows.filter((row) => row.state === 'pending').map((row) => Object.assign(row, { state: to })),
    expireApprovals: async () =>
      rows.filter((row) => row.state === 'pending').map((row) => Object.assign(row, { state: 'expired' })),
  };
  const own: SessionLog = {
    sessionId: 's',
    get open() {
      return open;
    },
    append: async (added) => {
      events.push(...added);
      return [];
    },
    post: (event) => void events.push(event),
    close() {
      open = false;
    },
  };
  const log = {
    subscribe: (_id: string | null, wake: () => void) => {
      wakes.add(wake);
      return () => void wakes.delete(wake);
    },
    append: async (_id: string, added: readonly SessionEvent[]) => {
      events.push(...added);
      return [];
    },
  };
  const inbox = createApprovalInbox({
    approvals: approvals as ApprovalStore,
    log: log as unknown as EventLog,
    own,
    clock,
    session: { id: 's', organizationId: 'o' },
    requestedBy: () => 'ana',
    announced: new Set(),
    onWaiting: (count) => waiting.push(count),
    report: ({ cause }) => {
      throw cause;
    },
  });
  const decide = (change: Partial<ApprovalRow>) => {
    Object.assign(rows.at(-1) ?? {}, change);
    for (const wake of wakes) wake();
  };
  const kinds = () =>
    events.map((event) => (event.kind === 'approval-decided' ? `${event.kind}:${event.decision}` : event.kind));
  return { inbox, rows, kinds, wakes, waiting, decide, own, ring: () => ring() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('approval inbox', () => {
  test('first the row, then the event; an answer wakes the waiter, who reads the row again', async () => {
    const { inbox, kinds, wakes, waiting, decide } = world();
    const answer = inbox.request(request, new AbortController().signal);
    await settled();
    expect(kinds()).toEqual(['approval-required']);
    decide({ state: 'denied', decidedById: 'bob', decidedReason: 'not today' });
    expect(await answer).toEqual({ kind: 'denied', by: 'bob', reason: 'not today' });
    expect(waiting).toEqual([1, 0]);
    expect(wakes.size).toBe(0);
  });

  test('a re-delivered call finds its answered row and asks nobody', async () => {
    const { inbox, kinds, decide } = world();
    const first = inbox.request(request, new AbortController().signal);
    await settled();
    decide({ state: 'approved', scope: 'session', decidedById: 'bob' });
    await first;
    expect(await inbox.request(request, new AbortController().signal)).toMatchObject({
      kind: 'approved',
      scope: 'session',
    });
    expect(kinds()).toEqual(['approval-required']);
  });

  test('stopping withdraws the request, even when an answer comes in the same moment', async () => {
    const { inbox, kinds, decide } = world();
    const controller = new AbortController();
    const answer = inbox.request(request, controller.signal);
    await settled();
    decide({ state: 'approved', scope: 'once', decidedById: 'bob' });
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    expect(kinds()).toEqual(['approval-required']);
  });

  test('a runner that goes down leaves it pending', async () => {
    const { inbox, rows, own } = world();
    const controller = new AbortController();
    const answer = inbox.request(request, controller.signal);
    await settled();
    own.close();
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    expect(rows[0]?.state).toBe('pending');
  });

  test('the deadline ends it as expired', async () => {
    const { inbox, kinds, ring } = world();
    const answer = inbox.request(request, new AbortController().signal);
    await settled();
    ring();
    expect(await answer).toEqual({ kind: 'expired' });
    expect(kinds()).toEqual(['approval-required', 'approval-decided:expired']);
  });

  test('other bytes reopen the card', async () => {
    const { inbox, kinds, rows, own } = world();
    const controller = new AbortController();
    const answers = [inbox.request(request, controller.signal)];
    await settled();
    answers.push(inbox.request({ ...request, digest: 'd2' }, controller.signal));
    await settled();
    expect(rows.map((row) => row.state)).toEqual(['reopened', 'pending']);
    expect(kinds()).toEqual(['approval-required', 'approval-decided:reopened', 'approval-required']);
    own.close();
    controller.abort();
    await Promise.allSettled(answers);
  });
});
