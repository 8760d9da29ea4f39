import { expect, it } from 'vitest';
import type { SandboxEngine } from './engine.ts';
import { createPool } from './pool.ts';

it.each(['create', 'start'] as const)('lets go of a sandbox whose %s failed, for the reaper to find', async (step) => {
  const made: string[] = [];
  const problems: unknown[] = [];
  const failing = new Error('the disk is full');
  const engine = {
    imageState: () => 'none',
    create: async ({ sandboxId, volume }) => {
      made.push(sandboxId);
      if (step === 'create') throw failing;
      return { sandboxId, ref: sandboxId, volume, imageDigest: '' };
    },
    start: async () => Promise.reject(failing),
    destroy: async () => undefined,
  } satisfies Partial<SandboxEngine>;
  const pool = createPool({
    engine: engine as unknown as SandboxEngine,
    epoch: 0,
    size: 1,
    onError: (error) => problems.push(error),
  });
  pool.fill();
  await pool.close();
  expect(made).toHaveLength(1);
  expect(problems).toEqual([failing]);
  expect(pool.holds(made[0] ?? '')).toBe(false);
});
