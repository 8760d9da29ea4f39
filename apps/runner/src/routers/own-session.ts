import type { Caller, SessionState } from '../store/contract.ts';
import type { RunnerContext } from '../trpc.ts';
import { notFound } from '../trpc.ts';

/** The one way from a session id that a person sent to a session. @throws HostError not_found */
export async function requireSession(
  ctx: Pick<RunnerContext, 'stores'> & { caller: Caller },
  sessionId: string,
): Promise<SessionState> {
  const session = await ctx.stores.sessions.findSession(ctx.caller, sessionId);
  if (!session) throw notFound('session');
  return session;
}
