import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../../../scripts/has.ts';
import { makeScript, oneslotAdapter, type ScriptedModel, startScriptedModel } from './lib/scripted-server.ts';
import {
  eventsOf,
  importScenarioWorkspace,
  newSession,
  openWorld,
  restartWorld,
  resultsOf,
  send,
  type World,
  waitFor,
} from './lib/session-world.ts';

const kinds = [
  ['simulated', 'pglite', true],
  ['docker', 'postgres', has('docker') && has('postgres')],
] as const;

for (const [engine, database, here] of kinds) {
  describe.runIf(here)(`the main job on ${engine} and ${database}`, () => {
    let model: ScriptedModel;
    let world: World;
    beforeAll(async () => {
      model = await startScriptedModel();
      world = await openWorld({ engine, database, modelUrl: model.url(null) });
    }, 300_000);
    afterAll(async () => {
      await world.close();
      await model.close();
    }, 60_000);

    test('mixed20 plays to its end with right results and an append-only prefix', { timeout: 120_000 }, async () => {
      const sessionId = await newSession(world, 'autopilot');
      await importScenarioWorkspace(world, sessionId);
      model.load('mixed', { ...(await makeScript('mixed20', '/workspace')), adapter: oneslotAdapter });
      await send(world, sessionId, 'Play the script. conv=mixed');
      const end = await waitFor(world, sessionId, 'turn-finished');
      const report = model.report('mixed');
      const events = await eventsOf(world, sessionId);
      expect(world.problems).toEqual([]);
      expect(end).toMatchObject({ status: 'completed' });
      expect(resultsOf(events).filter((result) => !result.ok)).toEqual([]);
      expect(report.mainRequests).toBe(21);
      expect(report.requests.slice(1).map((request) => request.appendOnly)).toEqual(Array(20).fill(true));
      const file = await world.wired.services.sandboxes.readFile(sessionId, 'edit.txt');
      expect(/counter = \d+/.exec(file.text ?? '')?.[0]).toBe('counter = 4');
      const steps = events.flatMap(({ event }) => (event.kind === 'step-started' ? [event.prefixAppendOnly] : []));
      expect(steps).toEqual(Array(21).fill(true));
    });

    test('the prefix goes on growing over turns and a restart', { timeout: 120_000 }, async () => {
      const sessionId = await newSession(world, 'autopilot');
      await importScenarioWorkspace(world, sessionId);
      model.load('turns', { ...(await makeScript('probe', '/workspace')), adapter: oneslotAdapter });
      await send(world, sessionId, 'One. conv=turns');
      await waitFor(world, sessionId, 'turn-finished', 1);
      await send(world, sessionId, 'Two. conv=turns');
      await waitFor(world, sessionId, 'turn-finished', 2);
      await restartWorld(world);
      await send(world, sessionId, 'Three. conv=turns');
      await waitFor(world, sessionId, 'turn-finished', 3);
      const { requests } = model.report('turns');
      expect(requests.slice(1).map((request) => request.appendOnly)).toEqual(Array(6).fill(true));
      const events = await eventsOf(world, sessionId);
      const steps = events.flatMap(({ event }) => (event.kind === 'step-started' ? [event.prefixAppendOnly] : []));
      expect(steps).toEqual(Array(7).fill(true));
    });
  });
}
