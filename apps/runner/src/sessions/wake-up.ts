/** One dirty flag and one sleeper: however often it is woken, it looks once more. */
export type WakeUp = { up(): void; next(): Promise<void>; ended(): boolean };

export function createWakeUp(signal: AbortSignal | undefined): WakeUp {
  let dirty = false;
  let sleeper: (() => void) | null = null;
  const up = () => {
    dirty = true;
    sleeper?.();
    sleeper = null;
  };
  signal?.addEventListener('abort', up, { once: true });
  return {
    up,
    ended: () => signal?.aborted ?? false,
    next: async () => {
      if (!dirty)
        await new Promise<void>((resolve) => {
          sleeper = resolve;
        });
      dirty = false;
    },
  };
}
