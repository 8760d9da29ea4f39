import { expect, it } from 'vitest';
import type { ListedSandbox, SandboxEngine } from './engine.ts';
import { startReaper } from './reaper.ts';

const hour = 3_600_000;
const nowMs = 1_000 * hour;

function sandbox(sandboxId: string, ageMs: number): ListedSandbox {
  return { sandboxId, ref: sandboxId, volume: `oneslot-${sandboxId}`, imageDigest: '', createdAt: nowMs - ageMs };
}

function reaperOver(found: ListedSandbox[]) {
  const destroyed: string[] = [];
  const engine: Pick<SandboxEngine, 'list' | 'destroy'> = {
    list: async () => found,
    destroy: async (ref, { keepVolume }) =>
      void destroyed.push(`${ref.sandboxId}${keepVolume ? ' keeping files' : ''}`),
  };
  const reaper = startReaper({
    engine,
    known: async () => new Set(['oneslot-known']),
    keeps: (sandboxId) => sandboxId === 'pooled',
    onError: (error) => {
      throw error;
    },
    now: () => nowMs,
  });
  return { reaper, destroyed };
}

it('spares what a row knows, what the pool holds and what is young', async () => {
  const { reaper, destroyed } = reaperOver([
    sandbox('known', 9 * hour),
    sandbox('pooled', 9 * hour),
    sandbox('young', 60_000),
  ]);
  expect(await reaper.reap()).toEqual([]);
  expect(destroyed).toEqual([]);
  await reaper.close();
});

it('removes the unknown and keeps its files', async () => {
  const { reaper, destroyed } = reaperOver([sandbox('left', hour)]);
  expect(await reaper.reap()).toEqual(['left']);
  expect(destroyed).toEqual(['left keeping files']);
  await reaper.close();
});
