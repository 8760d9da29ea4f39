import { HostError, type JsonObject } from '@oneslot/core';
import { z } from 'zod';
import { decidedEvent } from '../sessions/decided-event.ts';
import type { ApprovalRow, ApprovalState, PendingApproval } from '../store/contract.ts';
import { approverProcedure, memberProcedure, notFound, readerProcedure, router } from '../trpc.ts';
import { id, sessionId, text } from './inputs.ts';
import { requireOwnSession } from './own-session.ts';

export type { PendingApproval } from '../store/contract.ts';

const decideInput = z.strictObject({
  approvalId: id,
  /** Of the request as it was shown: an answer binds to what was seen. */
  digest: z.string().min(1).max(128),
  decision: z.enum(['approve_once', 'approve_session', 'deny', 'edit']),
  reason: text(2_000).optional(),
  input: z.record(z.string(), z.json()).optional(),
});

/** An answer that stays: what it covers in the words that were shown, and until when; null is the session's own end. */
export type KeptAnswer = {
  id: string;
  kind: 'grant' | 'denial';
  words: string;
  reason: string | null;
  grantedById: string;
  createdAt: Date;
  expiresAt: Date | null;
};

export const approvalsRouter = router({
  list: readerProcedure.query(
    async ({ ctx }): Promise<PendingApproval[]> => ctx.stores.approvals.listPending(ctx.caller),
  ),

  decide: approverProcedure.input(decideInput).mutation(async ({ ctx, input }): Promise<{ state: ApprovalState }> => {
    const { approvalId, digest, decision, reason } = input;
    const edited: JsonObject | undefined = input.input;
    if (decision === 'edit' && !edited) throw new HostError('invalid', 'An edit needs the new input.');
    const request = { approvalId, digest, decision, ...(reason && { reason }), ...(edited && { input: edited }) };
    const now = new Date(ctx.clock.now());
    const outcome = await ctx.stores.approvals.decideApproval(ctx.caller, request, now);
    if (!outcome) throw notFound('approval');
    if (!outcome.decided) throw tooLate(outcome.row, now);
    const event = decidedEvent(outcome.row);
    await ctx.log.append(outcome.row.sessionId, event ? [event] : []);
    await ctx.stores.audit.record({
      organizationId: outcome.row.organizationId,
      actorId: ctx.caller.userId,
      action: `approval.${decision}`,
      target: approvalId,
      outcome: 'ok',
      detail: { tool: outcome.row.tool, digest },
    });
    ctx.services.sessions.wake(outcome.row.sessionId);
    return { state: outcome.row.state };
  }),

  /** Answers that hold for the rest of a session. */
  grants: memberProcedure.input(z.strictObject({ sessionId })).query(async ({ ctx, input }): Promise<KeptAnswer[]> => {
    const session = await requireOwnSession(ctx, input.sessionId);
    const rows = await ctx.stores.grants.listGrants(session.id, new Date(ctx.clock.now()));
    return rows.map(({ id, kind, words, reason, grantedById, createdAt, expiresAt }) => {
      return { id, kind, words, reason, grantedById, createdAt, expiresAt };
    });
  }),

  /** Takes such an answer back; a turn that runs asks again from its next call on. */
  revoke: memberProcedure
    .input(z.strictObject({ sessionId, grantId: id }))
    .mutation(async ({ ctx, input }): Promise<{ ok: true }> => {
      const session = await requireOwnSession(ctx, input.sessionId);
      const by = ctx.caller.userId;
      if (!(await ctx.stores.grants.removeGrant(session.id, input.grantId))) throw notFound('kept answer');
      await ctx.stores.audit.record({
        organizationId: session.organizationId,
        actorId: by,
        action: 'approval.revoke',
        target: input.grantId,
        outcome: 'ok',
      });
      // Whichever runner drives the session hears of it by the log.
      await ctx.log.append(session.id, [{ kind: 'session-changed', by }]);
      ctx.services.sessions.wake(session.id);
      return { ok: true };
    }),
});

function tooLate(row: ApprovalRow, now: Date): HostError {
  if (row.state === 'pending' && row.deadline <= now) {
    return new HostError('conflict', 'The deadline of this approval has passed.');
  }
  if (row.state === 'pending') {
    return new HostError('conflict', 'The request is not the one this answer was given to. Look at the card again.');
  }
  return new HostError('conflict', `This approval is already ${row.state}.`);
}
