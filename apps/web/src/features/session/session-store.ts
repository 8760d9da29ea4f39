import type { StoredEvent } from '../../trpc/types.ts';
import { reduceEvents } from './reduce-events.ts';
import { emptyView, type SessionView } from './view-model.ts';

export type SessionState = { view: SessionView; loading: 'history' | 'ready' | { failed: unknown } };
export type SessionSource = {
  history(fromSeq: number): Promise<{ events: StoredEvent[]; lastSeq: number }>;
  follow(lastSeq: number, receive: (stored: StoredEvent) => void): () => void;
};
export type SessionStore = {
  getState(): SessionState;
  subscribe(listener: () => void): () => void;
  update(change: (view: SessionView) => SessionView): void;
  /** Loads the history, then follows the stream from where it ended. Returns how to stop. */
  open(): () => void;
};

/** Events that arrive within one frame are shown together. */
const frameMs = 16;

export function createSessionStore(source: SessionSource): SessionStore {
  let state: SessionState = { view: emptyView, loading: 'history' };
  const listeners = new Set<() => void>();
  const set = (next: Partial<SessionState>) => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };
  const apply = (events: readonly StoredEvent[]) => set({ view: reduceEvents(state.view, events) });

  /** Reads until the end that the runner knew when it was asked. */
  const catchUp = async (isOpen: () => boolean) => {
    for (;;) {
      const { events, lastSeq } = await source.history(state.view.lastSeq + 1);
      if (!isOpen()) return;
      apply(events);
      if (state.view.lastSeq >= lastSeq || events.length === 0) return;
    }
  };

  const open = () => {
    let closed = false;
    let stopFollowing = () => {};
    const isOpen = () => !closed;
    const inbox = createInbox({ view: () => state.view, apply, catchUp: () => catchUp(isOpen) });
    catchUp(isOpen).then(
      () => {
        if (closed) return;
        set({ loading: 'ready' });
        stopFollowing = source.follow(state.view.lastSeq, inbox.receive);
      },
      (failed: unknown) => !closed && set({ loading: { failed } }),
    );
    return () => {
      closed = true;
      inbox.close();
      stopFollowing();
    };
  };

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update: (change) => set({ view: change(state.view) }),
    open,
  };
}

type InboxPorts = { view(): SessionView; apply(events: readonly StoredEvent[]): void; catchUp(): Promise<void> };

/** Collects events of one frame; a hole in the numbering is filled from the history before anything behind it is shown. */
function createInbox({ view, apply, catchUp }: InboxPorts) {
  let waiting: StoredEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let filling = false;
  const flush = () => {
    timer = null;
    if (filling) return;
    waiting = waiting.filter((stored) => stored.seq > view().lastSeq).sort((a, b) => a.seq - b.seq);
    const first = waiting[0];
    if (!first) return;
    if (first.seq > view().lastSeq + 1) return fill();
    apply(waiting);
    waiting = [];
  };
  const schedule = (ms: number) => {
    timer ??= setTimeout(flush, ms);
  };
  const fill = () => {
    filling = true;
    catchUp().then(
      () => {
        filling = false;
        schedule(0);
      },
      // The stream says that the connection is away; the hole is tried again with the next event or in a second.
      () => {
        filling = false;
        schedule(1_000);
      },
    );
  };
  return {
    receive: (stored: StoredEvent) => {
      waiting.push(stored);
      schedule(frameMs);
    },
    close: () => {
      if (timer) clearTimeout(timer);
      waiting = [];
    },
  };
}
