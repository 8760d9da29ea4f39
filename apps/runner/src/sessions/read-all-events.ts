import type { StoredEvent } from '@oneslot/core';
import type { EventLog } from './event-log.ts';

const pageSize = 2_000;

/** The whole log of a session, in pages, so that no single answer of the database grows with it. */
export async function readAllEvents(log: EventLog, sessionId: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await log.read(sessionId, (events.at(-1)?.seq ?? 0) + 1, pageSize);
    events.push(...page);
    if (page.length < pageSize) return events;
  }
}
