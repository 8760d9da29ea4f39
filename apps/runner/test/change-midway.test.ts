import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf, newSession, openWorld, send, type World, waitFor } from './lib/session-world.ts';
import { type SseServer, sendEvents, startSseServer } from './lib/sse-server.ts';

const call = (id: string, name: string, input: object) => [
  {
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
        },
      },
    ],
  },
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  '[DONE]',
];

describe('what people change while a turn runs', () => {
  let server: SseServer;
  let world: World;
  /** Held back until the test lets the provider answer its first request. */
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();

  beforeAll(async () => {
    server = await startSseServer(async (response, count) => {
      if (count === 1) {
        asked.resolve();
        await answer.promise;
      }
      sendEvents(response, call(`c${count}`, 'write_file', { path: `f${count}.txt`, content: 'x' }));
    });
    world = await openWorld({ engine: 'simulated', database: 'pglite', modelUrl: server.url });
  }, 120_000);
  afterAll(async () => {
    await world.close();
    await server.close();
  }, 60_000);

  test('mode holds for the next call, the model for the next request', { timeout: 60_000 }, async () => {
    const { wired, caller } = world;
    const sessionId = await newSession(world, 'autopilot');
    await send(world, sessionId, 'write a file');
    await asked.promise;
    // Exactly what the API does; nobody wakes the session.
    const change = { kind: 'session-changed', by: caller.userId } as const;
    await wired.log.append(sessionId, [{ ...change, mode: 'plan' }]);
    await wired.log.append(sessionId, [{ ...change, modelId: 'manual' }]);
    answer.resolve();
    await waitFor(world, sessionId, 'turn-finished');
    const events = (await eventsOf(world, sessionId)).map(({ event }) => event);
    expect(events.filter((event) => event.kind === 'call-planned')).toMatchObject([{ decision: 'refused' }]);
    expect(server.requests).toHaveLength(1);
    expect(events.findLast((event) => event.kind === 'turn-finished')).toMatchObject({ status: 'completed' });
  });
});
