import type { EventLog } from '../sessions/event-log.ts';

/**
 * Waits until a row of the database says what is wanted, holding nothing but a promise. Whoever changes the row writes
 * an event, and the event wakes us; the row is read again because it, not the event, is the truth.
 */
export async function waitForRow<T>(
  options: { log: EventLog; sessionId: string; signal: AbortSignal; deadline?: Promise<void> },
  look: () => Promise<T | null>,
): Promise<T | null> {
  let wake = () => {};
  const unsubscribe = options.log.subscribe(options.sessionId, () => wake());
  const aborted = () => wake();
  options.signal.addEventListener('abort', aborted, { once: true });
  let due = false;
  void options.deadline?.then(() => {
    due = true;
    wake();
  });
  try {
    for (;;) {
      // Armed before the look, so that a change during it is not slept through.
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (options.signal.aborted) return null;
      const found = await look();
      if (found !== null || due) return found;
      await woken;
    }
  } finally {
    unsubscribe();
    options.signal.removeEventListener('abort', aborted);
  }
}
