import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { wire } from '../src/wire.ts';
import { newSession, openWorld, send, type World, waitFor } from './lib/session-world.ts';

describe('a session whose lease another runner has', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ engine: 'simulated', database: 'pglite', modelUrl: 'http://127.0.0.1:9/v1' });
  }, 120_000);
  afterAll(() => world.close(), 60_000);

  test('only its holder acts in the sandbox, and whoever lost it no more', { timeout: 60_000 }, async () => {
    const { wired, database } = world;
    const sessionId = await newSession(world, 'autopilot', 'manual');
    await send(world, sessionId, '/call run_command {"command":"sleep 30"}');
    await waitFor(world, sessionId, 'call-started');
    const client = await wired.sandboxes.open(sessionId);
    expect(client.hello.epoch).toBe((await wired.stores.sessions.getSessionState(sessionId))?.leaseEpoch);

    const other = await wire(world.wireOptions);
    await expect(other.sandboxes.open(sessionId)).rejects.toMatchObject({ code: 'conflict' });
    await expect(other.services.sandboxes.listFiles(sessionId, '.')).rejects.toMatchObject({ code: 'conflict' });
    await other.close();

    // What a stalled runner finds when it comes back: somebody took the lease.
    await database.pool.query(
      `UPDATE "Session" SET "leaseRunner" = 'thief', "leaseEpoch" = "leaseEpoch" + 1, "leaseExpiresAt" = $2 WHERE id = $1`,
      [sessionId, new Date(Date.now() + 3_600_000)],
    );
    await vi.waitFor(() => expect(client.files.stat('.')).rejects.toThrow(), { timeout: 20_000, interval: 500 });
    await expect(wired.sandboxes.open(sessionId)).rejects.toMatchObject({ code: 'conflict' });

    await database.pool.query('UPDATE "Session" SET "leaseExpiresAt" = now() WHERE id = $1', [sessionId]);
    const again = await wired.sandboxes.open(sessionId);
    expect(again.hello.epoch).toBe(client.hello.epoch + 1);
  });
});
