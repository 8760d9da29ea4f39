import { connectSandbox, type SandboxClient } from '@oneslot/sandboxd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has } from '../../../scripts/has.ts';
import type { SandboxEngine } from '../src/sandbox/engine.ts';
import { newSandboxSpec } from '../src/sandbox/open-sandbox.ts';
import { createSessionSandboxes, type SessionSandboxes } from '../src/sandbox/session-sandboxes.ts';
import {
  dockerClient,
  dockerEngine,
  makeEngine,
  memoryRows,
  readText,
  recordChanges,
  removeLeftovers,
  runIn,
  writeText,
} from './engines-fixture.ts';

const engines = [
  { name: 'docker' as const, here: has('docker') },
  { name: 'bubblewrap' as const, here: has('bubblewrap') },
  { name: 'simulated' as const, here: true },
];

async function fixtureOf(name: (typeof engines)[number]['name']) {
  if (name !== 'docker') return makeEngine(name);
  return { engine: await dockerEngine(), remove: () => removeLeftovers(dockerClient()) };
}

describe.each(engines)('the engine $name', ({ name, here }) => {
  describe.runIf(here)('when it is here', { timeout: 60_000 }, () => {
    let engine: SandboxEngine;
    let remove: () => Promise<void>;
    beforeAll(async () => {
      ({ engine, remove } = await fixtureOf(name));
    }, 300_000);
    afterAll(() => remove());

    const connect = async (ref: Parameters<SandboxEngine['open']>[0]): Promise<SandboxClient> =>
      connectSandbox(await engine.open(ref), { epoch: 1, onLost: () => undefined });

    it('goes from nothing to running to gone, and says so', async () => {
      const spec = newSandboxSpec();
      const ref = await engine.create(spec);
      expect(await engine.create(spec)).toEqual(ref);
      expect(ref.imageDigest).toBe(engine.imageDigest());
      expect((await engine.inspect(ref)).state).toBe('created');
      await engine.start(ref);
      await engine.start(ref);
      expect((await engine.inspect(ref)).state).toBe('running');
      expect((await engine.list()).map(({ sandboxId }) => sandboxId)).toContain(spec.sandboxId);
      const client = await connect(ref);
      expect(client.hello.isolation).toBe(engine.capabilities().isolation);
      client.close();
      await engine.destroy(ref, { keepVolume: false });
      await engine.destroy(ref, { keepVolume: false });
      expect((await engine.inspect(ref)).state).toBe('absent');
      expect((await engine.list()).map(({ sandboxId }) => sandboxId)).not.toContain(spec.sandboxId);
    });

    it('keeps files over a stop and over a new box on the same volume', async () => {
      const spec = newSandboxSpec();
      let ref = await engine.create(spec);
      await engine.start(ref);
      const first = await connect(ref);
      await writeText(first, 'kept.txt', 'still here');
      await engine.stop(ref, 0);
      await engine.start(ref);
      const second = await connect(ref);
      expect(second.hello.bootId).not.toBe(first.hello.bootId);
      expect(await readText(second, 'kept.txt')).toBe('still here');
      await engine.destroy(ref, { keepVolume: true });
      ref = await engine.create(spec);
      await engine.start(ref);
      expect(await readText(await connect(ref), 'kept.txt')).toBe('still here');
      await engine.destroy(ref, { keepVolume: false });
    });

    it('tells of a sandbox that dies', async () => {
      const ref = await engine.create(newSandboxSpec());
      await engine.start(ref);
      const ending = new AbortController();
      const events = engine.events(ending.signal)[Symbol.asyncIterator]();
      const next = events.next();
      (await connect(ref)).close();
      await engine.stop(ref, 0);
      expect((await next).value).toMatchObject({ sandboxId: ref.sandboxId, kind: 'died' });
      ending.abort();
      await events.return?.();
      await engine.destroy(ref, { keepVolume: false });
    });

    it('does not see the files of its neighbour', async () => {
      const refs = await Promise.all([engine.create(newSandboxSpec()), engine.create(newSandboxSpec())]);
      const clients = await Promise.all(refs.map(async (ref) => engine.start(ref).then(() => connect(ref))));
      const [one, other] = clients;
      if (!one || !other) throw new Error('Two were opened.');
      await writeText(one, 'secret.txt', 'for one only');
      await expect(readText(other, 'secret.txt')).rejects.toMatchObject({ code: 'not_found' });
      const volume = refs[0]?.volume ?? '';
      expect(
        (await runIn(other, `ls -d / /tmp /workspace/.. 2>/dev/null; ls /*/${volume} || echo none`)).stdout,
      ).toMatch(/none/);
      await Promise.all(refs.map((ref) => engine.destroy(ref, { keepVolume: false })));
    });

    describe('its sessions', () => {
      let sandboxes: SessionSandboxes;
      const store = memoryRows();
      const record = recordChanges();
      beforeAll(() => {
        sandboxes = createSessionSandboxes({ engine, reason: 'test', store, onChange: record.onChange, poolSize: 0 });
      });
      afterAll(async () => {
        for (const sessionId of [...store.rows.keys()]) await sandboxes.remove(sessionId);
      });

      it('share one opening and then one client', async () => {
        const [one, other] = await Promise.all([sandboxes.open('shared'), sandboxes.open('shared')]);
        expect(one).toBe(other);
        expect(await sandboxes.open('shared')).toBe(one);
        expect(record.phases('shared')).toEqual(['creating', 'starting', 'connecting', 'ready']);
        expect(record.changes.at(-1)?.tookMs).toBeGreaterThan(0);
        expect(store.rows.get('shared')).toMatchObject({ engine: name, state: 'running' });
      });

      it('find their files again after a stop', async () => {
        await writeText(await sandboxes.open('stopped'), 'a.txt', 'one');
        await sandboxes.stop('stopped');
        expect(store.rows.get('stopped')?.state).toBe('stopped');
        expect(await readText(await sandboxes.open('stopped'), 'a.txt')).toBe('one');
        expect(record.phases('stopped')).toContain('stopped');
      });

      it('leave nothing behind when removed', async () => {
        await sandboxes.open('removed');
        const volume = store.rows.get('removed')?.volume;
        await sandboxes.remove('removed');
        expect(store.rows.has('removed')).toBe(false);
        expect((await engine.list()).map((one) => one.volume)).not.toContain(volume);
      });

      it('refuse a sandbox whose files lie with another engine', async () => {
        store.rows.set('foreign', {
          sessionId: 'foreign',
          engine: 'kubernetes',
          ref: 'x',
          volume: 'x',
          imageDigest: null,
          state: 'stopped',
        });
        await expect(sandboxes.open('foreign')).rejects.toMatchObject({
          code: 'unavailable',
          next: expect.stringMatching(/--engine kubernetes/),
        });
        expect(record.phases('foreign')).toEqual(['failed']);
        for (const end of [sandboxes.stop('foreign'), sandboxes.remove('foreign')]) {
          await expect(end).rejects.toMatchObject({ code: 'unavailable', next: expect.stringMatching(/to delete it/) });
        }
        expect(store.rows.get('foreign')).toMatchObject({ engine: 'kubernetes', state: 'stopped' });
        store.rows.delete('foreign');
      });
    });
  });
});
