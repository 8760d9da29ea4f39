import type { SessionEvent, StoredEvent } from '@oneslot/core';

/** The session's log: dense, ordered, fenced by the lease epoch. */
export type EventLog = {
  /**
   * Returns once stored. With `epoch` the session's lease must still be that one.
   * @throws HostError conflict when the lease is lost, not_found when the session is gone, too_large above 64 KiB
   */
  append(sessionId: string, events: readonly SessionEvent[], options?: { epoch?: number }): Promise<StoredEvent[]>;
  /** Ordered, not awaited; a failure goes to the log's `onError` and fails the next append of that session. */
  post(sessionId: string, event: SessionEvent, options?: { epoch?: number }): void;
  /** Waits until everything posted so far is stored. @throws what a post failed with */
  flush(sessionId: string): Promise<void>;
  /** In order, from `fromSeq` on. */
  read(sessionId: string, fromSeq: number, limit: number): Promise<StoredEvent[]>;
  lastSeq(sessionId: string): Promise<number>;
  /** Newest event of one kind, null where there is none. */
  latest<K extends SessionEvent['kind']>(
    sessionId: string,
    kind: K,
  ): Promise<Extract<SessionEvent, { kind: K }> | null>;
  /** A wake-up without content, whenever something new may be there; null listens to every session. */
  subscribe(sessionId: string | null, wake: () => void): () => void;
  /**
   * Something a session's driver did not write itself: people changed it through this process, or another runner wrote.
   * Null after a gap, when anything may have been missed.
   */
  subscribeOutside(hear: (sessionId: string | null) => void): () => void;
  /** Lists, badges and the inbox of this organization may look different now. */
  subscribeLists(organizationId: string, wake: () => void): () => void;
  touchLists(organizationId: string): void;
  close(): Promise<void>;
};
