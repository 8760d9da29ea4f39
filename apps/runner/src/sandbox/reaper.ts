import type { SandboxEngine } from './engine.ts';

export type ReaperOptions = {
  engine: Pick<SandboxEngine, 'list' | 'destroy'>;
  /** Volumes that some row knows. */
  known(): Promise<ReadonlySet<string>>;
  /** Sandboxes this process holds without a row. */
  keeps(sandboxId: string): boolean;
  onError(error: unknown): void;
  now(): number;
  graceMs?: number;
  everyMs?: number;
};
export type Reaper = { reap(): Promise<string[]>; close(): Promise<void> };

/** A sandbox is unknown while another runner has not yet written its row, so none goes before this. */
const graceMs = 10 * 60_000;
const everyMs = 5 * 60_000;

/**
 * Removes sandboxes of this installation that no session knows: what a killed runner left of its pool. Their files stay:
 * whoever starts with another database by mistake must find everything when the right one is back.
 */
export function startReaper(options: ReaperOptions): Reaper {
  let running: Promise<string[]> = Promise.resolve([]);
  const run = () => {
    running = reapUnknown(options);
    running.catch(options.onError);
  };
  const timer = setInterval(run, options.everyMs ?? everyMs);
  timer.unref();
  return {
    reap: () => reapUnknown(options),
    async close() {
      clearInterval(timer);
      // Its failure was told above.
      await running.catch(() => undefined);
    },
  };
}

async function reapUnknown({ engine, known, keeps, now, ...options }: ReaperOptions): Promise<string[]> {
  const found = await engine.list();
  // Rows are read after the list: a sandbox adopted in between is known by now.
  const volumes = await known();
  const eldest = now() - (options.graceMs ?? graceMs);
  const unknown = found.filter((one) => !volumes.has(one.volume) && !keeps(one.sandboxId) && one.createdAt < eldest);
  for (const sandbox of unknown) await engine.destroy(sandbox, { keepVolume: true });
  return unknown.map(({ sandboxId }) => sandboxId);
}
