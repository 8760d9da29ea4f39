import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { has } from '../../../scripts/has.ts';
import { makeScript, oneslotAdapter, type ScriptedModel, startScriptedModel } from './lib/scripted-server.ts';
import {
  eventsOf,
  importScenarioWorkspace,
  newSession,
  openWorld,
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
      const reads = report.requests
        .filter((request) => request.afterTag === 'read4k')
        .flatMap((request) => request.overhead ?? []);
      console.log(`${engine}: overhead of a 4 KB read, median ${median(reads).toFixed(1)} ms of ${reads.length}`);
    });
  });
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
