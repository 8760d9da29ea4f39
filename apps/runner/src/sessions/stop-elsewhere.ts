import type { SessionDeps } from './session-deps.ts';

/** Longer than a runner needs to hear of it, short enough for whoever waits at the button. */
const waitMs = 5_000;
const lookMs = 100;

/** The request is stored. Whoever holds the lease hears of it by the log; where nobody does, `wake` ends the turn here. */
export async function stopElsewhere(
  { log, stores, clock }: Pick<SessionDeps, 'log' | 'stores' | 'clock'>,
  { sessionId, by, wake }: { sessionId: string; by: string; wake(sessionId: string): void },
): Promise<void> {
  await log.append(sessionId, [{ kind: 'session-changed', by }]);
  wake(sessionId);
  for (let waited = 0; waited < waitMs && (await stores.turns.openTurn(sessionId)); waited += lookMs)
    await clock.sleep(lookMs);
}
