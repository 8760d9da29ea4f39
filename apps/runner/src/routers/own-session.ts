import { HostError } from '@oneslot/core';
import { actsForOthers } from '../store/caller.ts';
import type { Caller, SessionState } from '../store/contract.ts';
import type { RunnerContext } from '../trpc.ts';
import { notFound } from '../trpc.ts';

type SessionContext = Pick<RunnerContext, 'stores'> & { caller: Caller };

/** The one way from a session id that a person sent to a session they may see. @throws HostError not_found */
export async function requireSession(ctx: SessionContext, sessionId: string): Promise<SessionState> {
  const session = await ctx.stores.sessions.findSession(ctx.caller, sessionId);
  if (!session) throw notFound('session');
  return session;
}

/**
 * To one they may change. Seeing is not changing: who could set the mode of somebody else's session would skip the
 * approvals that are not theirs to answer. @throws HostError not_found, forbidden
 */
export async function requireOwnSession(ctx: SessionContext, sessionId: string): Promise<SessionState> {
  const session = await requireSession(ctx, sessionId);
  if (mayChange(ctx.caller, session.ownerId)) return session;
  throw new HostError('forbidden', 'Only its owner, an administrator or an approver can change this session.');
}

export function mayChange(caller: Caller, ownerId: string): boolean {
  return caller.role !== 'viewer' && (ownerId === caller.userId || actsForOthers(caller));
}
