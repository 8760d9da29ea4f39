import type { StoredEvent } from '@oneslot/core';
import { tracked } from '@trpc/server';
import { z } from 'zod';
import { createWakeUp, type WakeUp } from '../sessions/wake-up.ts';
import type { Caller, PendingApproval } from '../store/contract.ts';
import { type RunnerContext, readerProcedure } from '../trpc.ts';
import { sessionId } from './inputs.ts';
import { requireSession } from './own-session.ts';
import type { SessionSummary } from './sessions.ts';

export type StreamItem =
  | { kind: 'snapshot'; sessions: SessionSummary[]; approvals: PendingApproval[] }
  | { kind: 'event'; stored: StoredEvent };

const batchSize = 500;
/** A removed member or an ended sign-in loses the stream within this time. */
const reauthorizeMs = 4_000;
const snapshotSessions = 50;

const input = z.strictObject({ sessionId: sessionId.optional(), lastEventId: z.string().max(200).nullish() });

/** One stream a tab. Lists come whole and without id, so they never move the browser's cursor; events carry `<sessionId>:<seq>`. */
export const events = readerProcedure
  .input(input)
  .use(async ({ ctx, input: { sessionId: wanted }, next }) => {
    // Before the stream opens, so that a stranger gets an answer like any other and not one heartbeat.
    if (wanted) await requireSession(ctx, wanted);
    return next();
  })
  .subscription(async function* ({ ctx, input: request, signal }) {
    const wake = createWakeUp(signal);
    const lists = { dirty: true };
    const unsubscribe = [
      ctx.log.subscribeLists(ctx.caller.organizationId, () => {
        lists.dirty = true;
        wake.up();
      }),
      ...(request.sessionId ? [ctx.log.subscribe(request.sessionId, wake.up)] : []),
    ];
    const timer = setInterval(wake.up, reauthorizeMs);
    try {
      yield* follow(ctx, request, wake, lists);
    } finally {
      clearInterval(timer);
      for (const stop of unsubscribe) stop();
    }
  });

type Request = z.infer<typeof input>;
type StreamContext = RunnerContext & { caller: Caller };

async function* follow(ctx: StreamContext, request: Request, wake: WakeUp, lists: { dirty: boolean }) {
  let seq = cursorOf(request);
  let checkedAt = ctx.clock.now();
  while (!wake.ended()) {
    if (ctx.clock.now() - checkedAt >= reauthorizeMs) {
      if (!(await maySeeStill(ctx, request))) return;
      checkedAt = ctx.clock.now();
    }
    if (lists.dirty) {
      lists.dirty = false;
      const item: StreamItem = await snapshot(ctx);
      yield item;
    }
    const stored = request.sessionId ? await ctx.log.read(request.sessionId, seq + 1, batchSize) : [];
    for (const one of stored) {
      const item: StreamItem = { kind: 'event', stored: one };
      seq = one.seq;
      yield tracked(`${one.sessionId}:${one.seq}`, item);
    }
    // A full batch means there may be more: only an empty look may sleep.
    if (stored.length < batchSize) await wake.next();
  }
}

/** Only a cursor of the same session counts; a tab that moved on starts at the beginning of the other one. */
function cursorOf({ sessionId: wanted, lastEventId }: Request): number {
  const split = lastEventId?.lastIndexOf(':') ?? -1;
  if (!lastEventId || split < 0 || lastEventId.slice(0, split) !== wanted) return 0;
  const seq = Number(lastEventId.slice(split + 1));
  return Number.isSafeInteger(seq) && seq >= 0 ? seq : 0;
}

async function snapshot(ctx: StreamContext): Promise<StreamItem> {
  const [sessions, approvals] = await Promise.all([
    ctx.stores.sessions.listSessions(ctx.caller, { limit: snapshotSessions }),
    ctx.stores.approvals.listPending(ctx.caller),
  ]);
  return { kind: 'snapshot', sessions: sessions.items, approvals };
}

function hasSameRights(now: Caller, before: Caller): boolean {
  const { organizationId, role, approver } = now;
  return organizationId === before.organizationId && role === before.role && approver === before.approver;
}

async function maySeeStill(ctx: StreamContext, request: Request): Promise<boolean> {
  const caller = await ctx.reauthorize();
  // The snapshots go on with the rights of the connect; whoever has others now connects again.
  if (!caller || !hasSameRights(caller, ctx.caller)) return false;
  if (!request.sessionId) return true;
  return (await ctx.stores.sessions.findSession(caller, request.sessionId)) !== null;
}
