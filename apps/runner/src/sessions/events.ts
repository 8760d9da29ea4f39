import { randomUUID } from 'node:crypto';
import { HostError, type SessionEvent, type StoredEvent } from '@oneslot/core';
import type { EventStore } from '../store/event-store.ts';
import type { EventLog } from './event-log.ts';
import { createFollowers } from './followers.ts';
import { createOutside } from './outside.ts';
import { createWriter } from './session-writer.ts';

export type { EventLog } from './event-log.ts';

/** A row stays small enough to be read by the thousand; anything larger lives in an envelope. */
const limitBytes = 64 * 1024;

export type EventLogOptions = { store: EventStore; onError(error: unknown, sessionId: string): void; now?(): Date };

export async function createEventLog({ store, onError, now = () => new Date() }: EventLogOptions): Promise<EventLog> {
  // Tells own notifications from those of other runners, which alone need to be passed on.
  const runner = randomUUID();
  const followers = createFollowers();
  const outside = createOutside();
  const stopListening = await store.listen(runner, outside.over(followers));
  const writer = createWriter({
    onError,
    write: async (sessionId, events, epoch) => {
      const at = now();
      const { first, organizationId, lists } = await store.insert({ sessionId, events, epoch, at, runner });
      followers.wakeSession(sessionId);
      if (epoch === null && events.some(({ kind }) => kind === 'session-changed')) outside.tell(sessionId);
      if (lists) followers.wakeLists(organizationId);
      return events.map((event, index) => ({ sessionId, seq: first + index, at: at.getTime(), event }));
    },
  });

  return {
    append: async (sessionId, events, options) => {
      events.forEach(refuseLarge);
      return events.length === 0 ? [] : writer.append(sessionId, events, options?.epoch ?? null);
    },
    post: (sessionId, event, options) => {
      refuseLarge(event);
      writer.post(sessionId, event, options?.epoch ?? null);
    },
    flush: (sessionId) => writer.flush(sessionId),
    read: (sessionId, fromSeq, limit): Promise<StoredEvent[]> => store.read(sessionId, fromSeq, limit),
    lastSeq: (sessionId) => store.lastSeq(sessionId),
    latest: (sessionId, kind) => store.latest(sessionId, kind),
    subscribe: followers.subscribe,
    subscribeOutside: outside.subscribe,
    subscribeLists: followers.subscribeLists,
    touchLists: (organizationId) => {
      followers.wakeLists(organizationId);
      store.notifyLists(runner, organizationId).catch((error: unknown) => onError(error, ''));
    },
    close: async () => {
      await writer.idle();
      await stopListening();
    },
  };
}

function refuseLarge(event: SessionEvent): void {
  const bytes = Buffer.byteLength(JSON.stringify(event));
  if (bytes <= limitBytes) return;
  throw new HostError(
    'too_large',
    `An event ${event.kind} of ${bytes} bytes exceeds ${limitBytes}; its text belongs in an envelope.`,
  );
}
