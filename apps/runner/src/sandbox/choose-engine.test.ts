import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseEngine, type EngineConfig, whyTooExposed } from './choose-engine.ts';

const config: EngineConfig = {
  engine: 'auto',
  dockerHost: 'unix:///no/such.sock',
  listenHost: '127.0.0.1',
  dataDir: join(tmpdir(), 'oneslot-never-written'),
  installationId: 'test',
  rootDir: join(import.meta.dirname, '../../../..'),
};

it('weak walls are for one person on a loopback host', () => {
  for (const listenHost of ['localhost', '127.0.0.1', '127.8.8.8', '::1'])
    expect(whyTooExposed({ listenHost })).toBeNull();
  expect(whyTooExposed({ listenHost: '0.0.0.0' })).toMatch(/listens on 0\.0\.0\.0; Docker has one/);
  expect(whyTooExposed({ listenHost: 'localhost', memberCount: 2 })).toMatch(/2 members/);
});

describe('chooseEngine', () => {
  it('falls to simulated beyond loopback without Docker, and says why', async () => {
    const chosen = await chooseEngine({ ...config, listenHost: '0.0.0.0' });
    expect(chosen.name).toBe('simulated');
    expect(chosen.isolation).toBe('simulated');
    expect(chosen.reason).toMatch(
      /docker: no Docker engine answers at unix:\/\/\/no\/such\.sock: there is no such socket/,
    );
    expect(chosen.engines.map(({ name, available }) => [name, available])).toEqual([
      ['docker', false],
      ['bubblewrap', false],
      ['simulated', true],
      ['local-unsafe', false],
    ]);
    await chosen.engine.close();
  });

  it('never takes local-unsafe by itself and refuses it beyond loopback', async () => {
    await expect(chooseEngine({ ...config, engine: 'local-unsafe', listenHost: '192.0.2.1' })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/local-unsafe cannot be used here/),
    });
  });

  it('an engine that was asked for and does not work is an error, not another engine', async () => {
    await expect(chooseEngine({ ...config, engine: 'docker' })).rejects.toMatchObject({
      message: expect.stringMatching(/docker cannot be used here: no Docker engine answers/),
      next: expect.stringMatching(/ONESLOT_ENGINE/),
    });
  });
});
