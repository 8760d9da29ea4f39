import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventsOf, newSession, openWorld, send, type World, waitFor } from './lib/session-world.ts';
import { type SseServer, sendEvents, startSseServer } from './lib/sse-server.ts';

const says = (content: string) => [{ choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] }, '[DONE]'];
const bodyOf = (server: SseServer, index: number) => JSON.parse(server.requests[index]?.body ?? '{}');

describe('another model in the same session', () => {
  let server: SseServer;
  let world: World;
  beforeAll(async () => {
    server = await startSseServer((response) => sendEvents(response, says('done')));
    world = await openWorld({
      engine: 'simulated',
      database: 'pglite',
      modelUrl: server.url,
      models: ['local', 'google/gemini-x', 'anthropic/claude-x'],
    });
  }, 120_000);
  afterAll(async () => {
    await world.close();
    await server.close();
  }, 60_000);

  test('is told its tools anew, announced, and its prefix grows from there', { timeout: 60_000 }, async () => {
    const { wired, caller } = world;
    const sessionId = await newSession(world, 'autopilot', 'env:local');
    const choose = (modelId: string) =>
      wired.log.append(sessionId, [{ kind: 'session-changed', by: caller.userId, modelId }]);
    await send(world, sessionId, 'one');
    await waitFor(world, sessionId, 'turn-finished', 1);
    await choose('env:google/gemini-x');
    await send(world, sessionId, 'two');
    await waitFor(world, sessionId, 'turn-finished', 2);
    await send(world, sessionId, 'three');
    await waitFor(world, sessionId, 'turn-finished', 3);
    const events = (await eventsOf(world, sessionId)).map(({ event }) => event);
    expect(events.filter((event) => event.kind === 'compacted')).toMatchObject([
      { reason: expect.stringMatching(/env:local to env:google.gemini-x/), droppedItems: 0 },
    ]);
    const at = events.findIndex((event) => event.kind === 'compacted');
    expect(events[at + 1]).toMatchObject({ kind: 'step-started', modelId: 'env:google/gemini-x' });
    const steps = events.flatMap((event) => (event.kind === 'step-started' ? [event] : []));
    expect(steps.map((step) => step.prefixAppendOnly)).toEqual([true, true, true]);
    const [first, second, third] = [0, 1, 2].map((index) => bodyOf(server, index));
    expect(JSON.stringify(first.tools)).toContain('"additionalProperties":');
    expect(JSON.stringify(second.tools)).not.toContain('"additionalProperties":');
    expect(third.tools).toEqual(second.tools);
    expect(third.messages.slice(0, second.messages.length)).toEqual(second.messages);
    expect(world.problems).toEqual([]);
  });
});
