import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ScriptedModel, startScriptedModel } from './lib/scripted-server.ts';
import { eventsOf, newSession, openWorld, resultsOf, send, type World, waitFor } from './lib/session-world.ts';

let world: World;
let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
  world = await openWorld({ engine: 'simulated', database: 'pglite', modelUrl: model.url(null) });
}, 120_000);
afterAll(async () => {
  await world.close();
  await model.close();
}, 60_000);

test('a message and a call beyond the size of a row reach the file, and the next request, whole', {
  timeout: 60_000,
}, async () => {
  const sessionId = await newSession(world, 'autopilot', 'manual');
  const content = 'ß'.repeat(90_000);
  await send(world, sessionId, `/call write_file ${JSON.stringify({ path: 'big.txt', content })}`);
  await waitFor(world, sessionId, 'turn-finished');
  expect(resultsOf(await eventsOf(world, sessionId)).map((result) => result.ok)).toEqual([true]);
  const file = await world.wired.services.sandboxes.readFile(sessionId, 'big.txt');
  expect(file.sizeBytes).toBe(180_000);

  await world.wired.log.append(sessionId, [{ kind: 'session-changed', modelId: 'env:scripted' }]);
  model.load('big', { steps: [{ tag: 'final', text: 'Seen.' }] });
  await send(world, sessionId, 'And now? conv=big');
  await waitFor(world, sessionId, 'turn-finished', 2);
  // Once in the message, once in the arguments of the call.
  expect(model.report('big').requests[0]?.bytes).toBeGreaterThan(360_000);
});
