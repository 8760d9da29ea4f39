import type { Clock } from '@oneslot/core';
import type { SessionStore } from '../store/contract.ts';
import type { SessionRunner } from './run-session.ts';

export type ResumeDeps = {
  sessions: Pick<SessionStore, 'clearLeases' | 'sessionsWithWork'>;
  runner: Pick<SessionRunner, 'wake'>;
  clock: Clock;
};

/**
 * Wakes every session that has work and nobody on it: turns a dead runner left open, messages whose wake-up was lost.
 * What an open turn needs before it goes on is written by whoever takes the lease.
 */
export async function resumeSessions({ sessions, runner, clock }: ResumeDeps): Promise<void> {
  for (const sessionId of await sessions.sessionsWithWork(new Date(clock.now()))) runner.wake(sessionId);
}

/** At boot. On the embedded database the lock on its folder proves that whoever held a lease is dead. */
export async function resumeAtBoot(deps: ResumeDeps, database: 'pglite' | 'postgres'): Promise<void> {
  if (database === 'pglite') await deps.sessions.clearLeases();
  await resumeSessions(deps);
}
