import { type Clock, HostError } from '@oneslot/core';
import type { SessionStore } from '../store/contract.ts';

/**
 * Under which epoch this runner may enter a session's sandbox: the newest there is, its own turn or nobody's.
 * @throws HostError conflict while another runner works on the session, not_found when that is gone
 */
export async function epochOfLease(
  sessions: Pick<SessionStore, 'leaseOf'>,
  { sessionId, runnerId, clock }: { sessionId: string; runnerId: string; clock: Clock },
): Promise<number> {
  const lease = await sessions.leaseOf(sessionId, runnerId, new Date(clock.now()));
  if (!lease) throw new HostError('not_found', 'No session with this id.');
  if (!lease.isElsewhere) return lease.epoch;
  throw new HostError('conflict', 'Another runner works in this sandbox now.', {
    next: 'Try again when the turn of this session has ended.',
  });
}
