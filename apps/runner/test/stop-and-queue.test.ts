import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../../../scripts/has.ts';
import { eventsOf, newSession, openWorld, resultsOf, send, type World, waitFor } from './lib/session-world.ts';

const engines = [
  ['simulated', true],
  ['docker', has('docker')],
] as const;

for (const [engine, here] of engines) {
  describe.runIf(here)(`stop and queue on ${engine}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld({ engine, database: 'pglite', modelUrl: 'http://127.0.0.1:9/v1' });
    }, 300_000);
    afterAll(() => world.close(), 60_000);

    test('stop ends a sleeping command within a second and says so', { timeout: 60_000 }, async () => {
      const sessionId = await newSession(world, 'autopilot', 'manual');
      await world.wired.sandboxes.open(sessionId);
      await send(world, sessionId, '/call run_command {"command":"sleep 30"}');
      await waitFor(world, sessionId, 'call-started');
      const startedAt = performance.now();
      await world.wired.runner.stop(sessionId, world.caller.userId);
      expect(performance.now() - startedAt).toBeLessThan(1_000);
      expect(await waitFor(world, sessionId, 'turn-finished')).toMatchObject({ status: 'stopped' });
      expect(resultsOf(await eventsOf(world, sessionId))).toMatchObject([{ ok: false, code: 'cancelled' }]);
    });

    test('messages sent meanwhile queue and are answered after it', { timeout: 60_000 }, async () => {
      const sessionId = await newSession(world, 'autopilot', 'manual');
      await world.wired.sandboxes.open(sessionId);
      await send(world, sessionId, '/call run_command {"command":"sleep 1"}');
      await waitFor(world, sessionId, 'call-started');
      await send(world, sessionId, '/call list_dir {"path":"."}');
      expect(await world.wired.stores.messages.listQueued(sessionId)).toHaveLength(1);
      await waitFor(world, sessionId, 'call-finished', 2);
      await waitFor(world, sessionId, 'turn-finished');
      const events = await eventsOf(world, sessionId);
      const order = events.flatMap(({ event }) =>
        event.kind === 'message-added' || event.kind === 'call-finished' ? [event.kind] : [],
      );
      expect(order).toEqual(['message-added', 'call-finished', 'message-added', 'call-finished']);
      expect(await world.wired.stores.messages.listQueued(sessionId)).toEqual([]);
    });
  });
}

describe('models that cannot answer', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ engine: 'simulated', database: 'pglite', modelUrl: 'http://127.0.0.1:9/v1' });
  }, 120_000);
  afterAll(() => world.close(), 60_000);

  test('a model that is gone fails the turn in words', async () => {
    const sessionId = await newSession(world, 'agent', 'removed-model');
    await send(world, sessionId, 'hello');
    const end = await waitFor(world, sessionId, 'turn-finished');
    expect(end).toMatchObject({ status: 'failed' });
    expect(end.reason).toContain('removed-model');
    expect(end.reason).toContain('Choose another model');
  });

  test('a removed provider: its sessions learn what to do, and another model is the default', async () => {
    const { stores, services } = world.wired;
    const { organizationId } = world.caller;
    const row = { organizationId, name: 'mine', apiKey: null, baseUrl: 'http://127.0.0.1:9/v1' };
    const providerId = await stores.models.addProvider({ ...row, models: ['big'], dialect: 'openai-chat' });
    const mine = (await services.models.list(organizationId)).find((model) => model.providerId === providerId);
    await stores.models.setDefaultModel(organizationId, mine?.id ?? '');
    const standard = async () => (await services.models.list(organizationId)).find((model) => model.isDefault)?.id;
    expect(await standard()).toBe(mine?.id);
    const sessionId = await newSession(world, 'agent', mine?.id);
    await stores.models.removeProvider(organizationId, providerId);
    expect(await standard()).toBe('env:scripted');
    await send(world, sessionId, 'hello');
    const end = await waitFor(world, sessionId, 'turn-finished');
    expect(end).toMatchObject({ status: 'failed' });
    expect(end.reason).toContain('Choose another model');
  });

  test('an unreachable provider fails the turn with its cause', { timeout: 40_000 }, async () => {
    const sessionId = await newSession(world, 'agent');
    await send(world, sessionId, 'hello');
    const end = await waitFor(world, sessionId, 'turn-finished');
    expect(end).toMatchObject({ status: 'failed' });
    expect(end.reason).toContain('no connection');
    expect((await world.wired.stores.sessions.getSessionState(sessionId))?.status).toBe('failed');
  });
});
