import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { wire } from '../src/wire.ts';
import {
  eventsOf,
  newSession,
  openWorld,
  restartWorld,
  resultsOf,
  send,
  type World,
  waitFor,
} from './lib/session-world.ts';
import { databaseKinds } from './test-database.ts';

describe.each(databaseKinds)('a stop that does not meet its turn, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ engine: 'simulated', database, modelUrl: 'http://127.0.0.1:9/v1' });
  }, 120_000);
  afterAll(() => world.close(), 60_000);

  async function sleeping(): Promise<string> {
    const sessionId = await newSession(world, 'autopilot', 'manual');
    await world.wired.sandboxes.open(sessionId);
    await send(world, sessionId, '/call run_command {"command":"sleep 30"}');
    await waitFor(world, sessionId, 'call-started');
    return sessionId;
  }

  test('the runner died meanwhile: the next one ends the turn instead of going on', { timeout: 60_000 }, async () => {
    const sessionId = await sleeping();
    expect(await world.wired.stores.turns.requestStop(sessionId)).toBe(true);
    await restartWorld(world);
    expect(await waitFor(world, sessionId, 'turn-finished')).toMatchObject({ status: 'stopped' });
    const events = await eventsOf(world, sessionId);
    expect(events.filter(({ event }) => event.kind === 'step-started')).toHaveLength(1);
    // The row of a turn is closed right after the event of its end.
    await vi.waitFor(async () => expect(await world.wired.stores.turns.requestStop(sessionId)).toBe(false));
  });

  // The embedded database has one runner at a time.
  if (database === 'pglite') return;

  test('another runner holds the lease', { timeout: 60_000 }, async () => {
    const sessionId = await sleeping();
    const other = await wire(world.wireOptions);
    const startedAt = performance.now();
    await other.services.sessions.stop(sessionId, world.caller.userId);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(await waitFor(world, sessionId, 'turn-finished')).toMatchObject({ status: 'stopped' });
    expect(resultsOf(await eventsOf(world, sessionId))).toMatchObject([{ ok: false, code: 'cancelled' }]);
    await other.close();
  });
});
