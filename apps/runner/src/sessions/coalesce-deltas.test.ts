import type { Clock } from '@oneslot/core';
import { expect, test } from 'vitest';
import { coalesceDeltas } from './coalesce-deltas.ts';

/** Time stands still until it is moved. */
function manualClock() {
  let now = 1_000;
  let sleepers: { until: number; wake(): void }[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ until: now + ms, wake })),
  };
  const advance = async (ms: number) => {
    now += ms;
    for (const sleeper of sleepers.filter((one) => one.until <= now)) sleeper.wake();
    sleepers = sleepers.filter((one) => one.until > now);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { clock, advance };
}
const text = (piece: string) => ({ kind: 'text-appended' as const, step: 1, text: piece });

test('the first piece goes out at once, the others ten times a second', async () => {
  const posted: string[] = [];
  const { clock, advance } = manualClock();
  const deltas = coalesceDeltas(clock, (delta) => posted.push(delta.text));
  deltas.push(text('a'));
  deltas.push(text('b'));
  deltas.push(text('c'));
  expect(posted).toEqual(['a']);
  await advance(100);
  expect(posted).toEqual(['a', 'bc']);
  deltas.push(text('d'));
  deltas.flush();
  expect(posted).toEqual(['a', 'bc', 'd']);
});

test('another kind or step never joins', () => {
  const posted: string[] = [];
  const { clock } = manualClock();
  const deltas = coalesceDeltas(clock, (delta) => posted.push(`${delta.kind}:${delta.text}`));
  deltas.push(text('a'));
  deltas.push(text('b'));
  deltas.push({ kind: 'reasoning-appended', step: 1, text: 'r' });
  deltas.flush();
  expect(posted).toEqual(['text-appended:a', 'text-appended:b', 'reasoning-appended:r']);
});
