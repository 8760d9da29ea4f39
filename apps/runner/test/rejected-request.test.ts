import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appRouter } from '../src/router.ts';
import { eventsOf, newSession, openWorld, send, type World, waitFor } from './lib/session-world.ts';
import { type SseServer, sendEvents, startSseServer } from './lib/sse-server.ts';

const says = (content: string) => [{ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] }, '[DONE]'];
const calls = [
  {
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'list_dir', arguments: '{}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  },
  '[DONE]',
];

/** The API as this world's owner meets it. */
function apiOf({ wired, caller }: World) {
  const me = { user: { id: caller.userId } };
  return appRouter.createCaller({
    signedIn: { caller, me: me as never, csrfToken: '' },
    reauthorize: async () => caller,
    stores: wired.stores,
    log: wired.log,
    services: wired.services,
    setup: { needed: async () => false, claim: async () => undefined },
    clock: wired.clock,
    installation: { version: '0', databaseKind: 'pglite' },
    reportBug: (error) => {
      throw error;
    },
  });
}

describe('a request that the provider refuses', () => {
  let server: SseServer;
  let world: World;
  const refusal = { error: { message: 'Invalid value at messages[3].content: not allowed', type: 'invalid_request' } };
  beforeAll(async () => {
    server = await startSseServer((response, count) => {
      if (count === 1) return sendEvents(response, calls);
      if (count > 2) return sendEvents(response, says('done'));
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
    });
    world = await openWorld({ engine: 'simulated', database: 'pglite', modelUrl: server.url });
  }, 120_000);
  afterAll(async () => {
    await world.close();
    await server.close();
  }, 60_000);

  test('names the block, is not sent again, and goes on without it', { timeout: 60_000 }, async () => {
    const api = apiOf(world);
    const sessionId = await newSession(world, 'autopilot');
    await send(world, sessionId, 'look');
    expect(await waitFor(world, sessionId, 'turn-finished')).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('answered 400'),
    });
    expect(server.requests).toHaveLength(2);
    const rejected = (await eventsOf(world, sessionId)).find(({ event }) => event.kind === 'request-rejected');
    expect(rejected?.event).toMatchObject({ block: { kind: 'result', callId: 'c1', part: 'text' } });
    const seq = rejected?.seq ?? 0;
    await expect(api.sessions.dropBlock({ sessionId, seq: 1 })).rejects.toThrow(/No refused request/);
    await waitUntilIdle(sessionId);
    await api.sessions.dropBlock({ sessionId, seq });
    await api.sessions.dropBlock({ sessionId, seq });
    expect(await waitFor(world, sessionId, 'turn-finished', 2)).toMatchObject({ status: 'completed' });
    expect(server.requests).toHaveLength(3);
    const { messages } = JSON.parse(server.requests[2]?.body ?? '{}');
    expect(messages[3]).toEqual({ role: 'tool', tool_call_id: 'c1', content: expect.stringContaining('Left out') });
    const events = (await eventsOf(world, sessionId)).map(({ event }) => event);
    expect(events.filter((event) => event.kind === 'block-dropped')).toHaveLength(1);
    expect(events.filter((event) => event.kind === 'compacted')).toMatchObject([{ droppedItems: 1 }]);
    const steps = events.flatMap((event) => (event.kind === 'step-started' ? [event.prefixAppendOnly] : []));
    expect(steps).toEqual([true, true, true]);
    expect(world.problems).toEqual([]);
  });

  test('tells administrators how the model calls tools', async () => {
    const [model] = await apiOf(world).stats.models({ days: 30 });
    expect(model).toMatchObject({ modelId: 'env:scripted', answers: 2, calls: 1, refusals: [] });
  });

  /** The turn's last event is written before the drive has let go. */
  async function waitUntilIdle(sessionId: string): Promise<void> {
    while (world.wired.runner.isRunning(sessionId)) await new Promise((resolve) => setImmediate(resolve));
  }
});
