import { HostError, type JsonObject } from '@oneslot/core';
import { z } from 'zod';
import { decidedEvent } from '../sessions/decided-event.ts';
import type { ApprovalRow, ApprovalState, PendingApproval } from '../store/contract.ts';
import { approverProcedure, notFound, readerProcedure, router } from '../trpc.ts';
import { id, text } from './inputs.ts';

export type { PendingApproval } from '../store/contract.ts';

const decideInput = z.strictObject({
  approvalId: id,
  /** Of the request as it was shown: an answer binds to what was seen. */
  digest: z.string().min(1).max(128),
  decision: z.enum(['approve_once', 'approve_session', 'deny', 'edit']),
  reason: text(2_000).optional(),
  input: z.record(z.string(), z.json()).optional(),
});

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
