import type { Clock, SessionEvent, StoredEvent } from '@oneslot/core';
import type { EventLog } from './event-log.ts';

/** What one holder of a session's lease writes; once closed nothing more of it can reach the log. */
export type SessionLog = {
  readonly sessionId: string;
  readonly open: boolean;
  /** Returns once stored, and everything posted before with it. */
  append(events: readonly SessionEvent[]): Promise<StoredEvent[]>;
  /** Ordered and not awaited; a failure is the next append's. `now` spares the moment in which neighbours gather. */
  post(event: SessionEvent, when?: 'soon' | 'now'): void;
  close(): void;
};

/** Neighbours within this time share one statement; people see them as late as that, models never wait for it. */
const gatherMs = 15;

export function createSessionLog(
  log: EventLog,
  options: { sessionId: string; epoch: number; clock: Clock },
): SessionLog {
  const { sessionId, epoch, clock } = options;
  let open = true;
  let failure: { error: unknown } | null = null;
  let held: SessionEvent[] = [];
  let gathering = false;

  const takeHeld = () => {
    const taken = held;
    held = [];
    return taken;
  };

  function release(): void {
    if (!open || held.length === 0) return;
    log.append(sessionId, takeHeld(), { epoch }).catch((error: unknown) => {
      failure = { error };
    });
  }

  async function releaseSoon(): Promise<void> {
    if (gathering) return;
    gathering = true;
    await clock.sleep(gatherMs);
    gathering = false;
    release();
  }

  return {
    sessionId,
    get open() {
      return open;
    },
    async append(events) {
      // Whoever still runs after the lease is gone must stop where it stands, not end in a way it would have to report.
      if (!open) return new Promise(() => {});
      if (failure) throw failure.error;
      const all = [...takeHeld(), ...events];
      return all.length === 0 ? [] : log.append(sessionId, all, { epoch });
    },
    post(event, when = 'soon') {
      if (!open) return;
      held.push(event);
      if (when === 'now') release();
      else void releaseSoon();
    },
    close() {
      open = false;
    },
  };
}
