import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { StoredEvent } from '../../trpc/types.ts';
import { createSessionStore } from './session-store.ts';

const stored = (seq: number): StoredEvent => ({
  sessionId: 's1',
  seq,
  at: seq,
  event: { kind: 'notice-added', level: 'info', text: `n${seq}`, next: null },
});
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => stored(from + index));

function scripted(log: StoredEvent[], page: number) {
  const asked: number[] = [];
  let receive: (one: StoredEvent) => void = () => {};
  const store = createSessionStore({
    history: async (fromSeq) => {
      asked.push(fromSeq);
      return { events: log.filter((one) => one.seq >= fromSeq).slice(0, page), lastSeq: log.length };
    },
    follow: (lastSeq, to) => {
      asked.push(-lastSeq);
      receive = to;
      return () => {
        receive = () => {};
      };
    },
  });
  return { store, asked, push: (one: StoredEvent) => receive(one) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('createSessionStore', () => {
  test('reads the history in pages, then follows from its end', async () => {
    const { store, asked } = scripted(range(1, 5), 2);
    store.open();
    await vi.runAllTimersAsync();
    expect(asked).toEqual([1, 3, 5, -5]);
    expect(store.getState()).toMatchObject({ loading: 'ready', view: { lastSeq: 5 } });
  });

  test('shows events of one frame together and ignores doubles', async () => {
    const { store, push } = scripted(range(1, 2), 10);
    store.open();
    await vi.runAllTimersAsync();
    const calls = vi.fn();
    store.subscribe(calls);
    for (const one of [stored(3), stored(2), stored(4)]) push(one);
    await vi.runAllTimersAsync();
    expect(calls).toHaveBeenCalledTimes(1);
    expect(store.getState().view.items).toHaveLength(4);
  });

  test('fills a hole from the history before it goes on', async () => {
    const log = range(1, 2);
    const { store, push, asked } = scripted(log, 10);
    store.open();
    await vi.runAllTimersAsync();
    log.push(...range(3, 6));
    push(stored(6));
    await vi.runAllTimersAsync();
    expect(asked).toEqual([1, -2, 3]);
    expect(store.getState().view.items.map((item) => item.id)).toEqual(range(1, 6).map((one) => `seq-${one.seq}`));
  });

  test('a closed store changes no more', async () => {
    const { store, push } = scripted(range(1, 2), 10);
    const close = store.open();
    await vi.runAllTimersAsync();
    close();
    push(stored(3));
    await vi.runAllTimersAsync();
    expect(store.getState().view.lastSeq).toBe(2);
  });
});
