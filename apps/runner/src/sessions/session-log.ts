import type { SessionEvent, StoredEvent } from '@oneslot/core';
import type { EventLog } from './event-log.ts';

/** What one holder of a session's lease writes; once closed nothing more of it can reach the log. */
export type SessionLog = {
  readonly sessionId: string;
  readonly open: boolean;
  append(events: readonly SessionEvent[]): Promise<StoredEvent[]>;
  post(event: SessionEvent): void;
  close(): void;
};

export function createSessionLog(log: EventLog, sessionId: string, epoch: number): SessionLog {
  let open = true;
  return {
    sessionId,
    get open() {
      return open;
    },
    append(events) {
      // Whoever still runs after the lease is gone must stop where it stands, not end in a way it would have to report.
      if (!open) return new Promise(() => {});
      return events.length === 0 ? Promise.resolve([]) : log.append(sessionId, events, { epoch });
    },
    post(event) {
      if (open) log.post(sessionId, event, { epoch });
    },
    close() {
      open = false;
    },
  };
}
