import type { Clock, SessionEvent } from '@oneslot/core';

type Delta = Extract<SessionEvent, { kind: 'text-appended' | 'reasoning-appended' }>;

/** Ten rows a second are plenty for eyes; the first one goes out at once, because that is what people wait for. */
const pauseMs = 100;

export type DeltaCoalescer = {
  push(delta: Delta): void;
  /** Everything held back goes out now. */
  flush(): void;
};

/** Joins neighbouring pieces of one step and kind; order is kept, nothing is lost. */
export function coalesceDeltas(clock: Clock, post: (delta: Delta) => void): DeltaCoalescer {
  let held: Delta | null = null;
  let quietUntil = 0;
  let waiting = false;

  function flush(): void {
    if (!held) return;
    const out = held;
    held = null;
    quietUntil = clock.now() + pauseMs;
    post(out);
  }

  async function flushLater(): Promise<void> {
    if (waiting) return;
    waiting = true;
    await clock.sleep(Math.max(0, quietUntil - clock.now()));
    waiting = false;
    flush();
  }

  return {
    push(delta) {
      if (held && (held.kind !== delta.kind || held.step !== delta.step)) flush();
      held = held ? { ...held, text: held.text + delta.text } : delta;
      if (clock.now() >= quietUntil) flush();
      else void flushLater();
    },
    flush,
  };
}
