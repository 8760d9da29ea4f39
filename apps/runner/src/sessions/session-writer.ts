import type { SessionEvent, StoredEvent } from '@oneslot/core';

type Entry = {
  events: readonly SessionEvent[];
  epoch: number | null;
  /** Absent on posts, which nobody waits for. */
  settle?: { resolve(stored: StoredEvent[]): void; reject(error: unknown): void };
};
type Queue = { entries: Entry[]; running: Promise<void> | null; failure: { error: unknown } | null };

export type WriterOptions = {
  write(sessionId: string, events: readonly SessionEvent[], epoch: number | null): Promise<StoredEvent[]>;
  onError(error: unknown, sessionId: string): void;
};
export type SessionWriter = {
  append(sessionId: string, events: readonly SessionEvent[], epoch: number | null): Promise<StoredEvent[]>;
  post(sessionId: string, event: SessionEvent, epoch: number | null): void;
  flush(sessionId: string): Promise<void>;
  idle(): Promise<void>;
};

/** Enough to swallow a burst, few enough that one statement stays short. */
const eventsPerStatement = 256;

/** One queue per session keeps order; what waits while a statement runs goes into the next one together. */
export function createWriter({ write, onError }: WriterOptions): SessionWriter {
  const queues = new Map<string, Queue>();

  function enqueue(sessionId: string, entry: Entry): void {
    const queue = queues.get(sessionId) ?? { entries: [], running: null, failure: null };
    queues.set(sessionId, queue);
    queue.entries.push(entry);
    queue.running ??= drain(sessionId, queue);
  }

  async function drain(sessionId: string, queue: Queue): Promise<void> {
    while (queue.entries.length > 0) {
      const batch = takeBatch(queue.entries);
      try {
        // Somebody must learn that a post is missing: the first append behind it does.
        if (batch.some((entry) => entry.settle)) throwFailure(queue);
        const stored = await write(
          sessionId,
          batch.flatMap((entry) => entry.events),
          batch[0]?.epoch ?? null,
        );
        deliver(batch, stored);
      } catch (error) {
        fail(sessionId, queue, batch, error);
      }
    }
    queue.running = null;
    if (!queue.failure) queues.delete(sessionId);
  }

  function fail(sessionId: string, queue: Queue, batch: readonly Entry[], error: unknown): void {
    const waiting = batch.filter((entry) => entry.settle);
    for (const entry of waiting) entry.settle?.reject(error);
    if (waiting.length === batch.length) return;
    onError(error, sessionId);
    if (waiting.length === 0) queue.failure = { error };
  }

  return {
    append: (sessionId, events, epoch) =>
      new Promise((resolve, reject) => enqueue(sessionId, { events, epoch, settle: { resolve, reject } })),
    post: (sessionId, event, epoch) => enqueue(sessionId, { events: [event], epoch }),
    flush: async (sessionId) => {
      const queue = queues.get(sessionId);
      await queue?.running;
      if (queue) throwFailure(queue);
    },
    idle: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.running));
    },
  };
}

/** A failure is told once; the gap it left is the hearer's to handle. */
function throwFailure(queue: Queue): void {
  const { failure } = queue;
  queue.failure = null;
  if (failure) throw failure.error;
}

/** Neighbours under the same fence, at least one entry. */
function takeBatch(entries: Entry[]): Entry[] {
  const epoch = entries[0]?.epoch ?? null;
  let size = 0;
  let count = 0;
  for (const entry of entries) {
    if (entry.epoch !== epoch || (count > 0 && size + entry.events.length > eventsPerStatement)) break;
    size += entry.events.length;
    count += 1;
  }
  return entries.splice(0, count);
}

function deliver(batch: readonly Entry[], stored: readonly StoredEvent[]): void {
  let start = 0;
  for (const entry of batch) {
    entry.settle?.resolve(stored.slice(start, start + entry.events.length));
    start += entry.events.length;
  }
}
