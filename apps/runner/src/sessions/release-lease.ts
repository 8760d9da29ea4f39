import type { SessionDeps } from './session-deps.ts';

/** Whoever lost the lease meanwhile gives up its way into the sandbox too, since somebody else acts there now. */
export async function releaseLease(
  { stores, sandboxes, runnerId }: Pick<SessionDeps, 'stores' | 'sandboxes' | 'runnerId'>,
  sessionId: string,
  epoch: number,
): Promise<void> {
  let held = false;
  try {
    held = await stores.sessions.releaseLease(sessionId, runnerId, epoch);
  } finally {
    if (!held) sandboxes.leave(sessionId);
  }
}
