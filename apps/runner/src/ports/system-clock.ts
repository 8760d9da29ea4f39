import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, RandomBytes } from '@oneslot/core';

/** The one clock of the process. An aborted sleep ends early and quietly: whoever waits looks at its signal. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

export const systemRandom: RandomBytes = (length) => randomBytes(length);
