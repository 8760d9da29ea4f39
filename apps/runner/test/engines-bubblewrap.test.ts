import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { connectSandbox, type SandboxClient } from '@oneslot/sandboxd';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has } from '../../../scripts/has.ts';
import type { SandboxRef } from '../src/sandbox/engine.ts';
import { newSandboxSpec } from '../src/sandbox/open-sandbox.ts';
import { type EngineFixture, makeEngine, runIn, writeText } from './engines-fixture.ts';

const run = promisify(execFile);

describe.runIf(has('bubblewrap'))('a bubblewrap sandbox', () => {
  let fixture: EngineFixture;
  let ref: SandboxRef;
  let client: SandboxClient;
  beforeAll(async () => {
    fixture = await makeEngine('bubblewrap');
    ref = await fixture.engine.create(newSandboxSpec());
    await fixture.engine.start(ref);
    client = await connectSandbox(await fixture.engine.open(ref), { epoch: 1, onLost: () => undefined });
  });
  afterAll(async () => {
    await fixture.engine.destroy(ref, { keepVolume: false });
    await fixture.remove();
  });

  it('has a uid without rights and cannot get any', async () => {
    const { stdout } = await runIn(
      client,
      'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs):" /proc/self/status | tr -d "[:blank:]"',
    );
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      '10001',
      'CapEff:0000000000000000',
      'CapBnd:0000000000000000',
      'NoNewPrivs:1',
    ]);
    expect((await runIn(client, 'unshare -U true')).exitCode).not.toBe(0);
    expect((await runIn(client, 'mount -t tmpfs none /tmp')).exitCode).not.toBe(0);
  });

  it('can write to its files and temporary folders alone', async () => {
    for (const place of ['/x', '/etc/x', '/usr/bin/x', '/opt/oneslot/sandboxd.mjs', '/etc/passwd']) {
      expect((await runIn(client, `echo x > ${place}`)).exitCode, place).not.toBe(0);
    }
    for (const place of ['/workspace/x', '/tmp/x'])
      expect((await runIn(client, `echo x > ${place}`)).exitCode, place).toBe(0);
  });

  it('sees nobody’s home, no private key, no process and no service of the host', async () => {
    expect(
      (await runIn(client, 'ls -d /home /root /etc/shadow /etc/ssl/private /var /srv /run/docker.sock 2>/dev/null'))
        .stdout,
    ).toBe('');
    expect(Number((await runIn(client, 'ls -d /proc/[0-9]* | wc -l')).stdout)).toBeLessThan(12);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const reach = await runIn(client, `timeout 2 bash -c "echo > /dev/tcp/127.0.0.1/${port}"; echo rc $?`);
    server.close();
    expect(reach.stdout).not.toMatch(/rc 0/);
  });

  it('runs git and Node, and its environment holds nothing of the runner', async () => {
    expect((await runIn(client, 'node -p process.version')).stdout.trim()).toBe(process.version);
    expect((await runIn(client, 'git init -q . && git status --short | head -1')).exitCode).toBe(0);
    const names = (await runIn(client, 'env | cut -d= -f1')).stdout.split('\n');
    expect(names.filter((name) => /^ONESLOT_(?!JOB)|KEY|TOKEN|VITEST|NODE_ENV/.test(name))).toEqual([]);
  });

  it('takes every descendant with it when it ends, however far it ran away', async () => {
    const marker = `oneslot-runaway-${process.pid}`;
    await writeText(client, 'away.sh', `exec -a ${marker} sleep 300\n`);
    await runIn(client, 'setsid env -i bash away.sh >/dev/null 2>&1 & sleep 0.3');
    const alive = () =>
      run('pgrep', ['-f', marker]).then(
        ({ stdout }) => stdout.trim() !== '',
        () => false,
      );
    expect(await alive()).toBe(true);
    await fixture.engine.stop(ref, 0);
    await expect.poll(alive, { timeout: 5_000 }).toBe(false);
  });
});
