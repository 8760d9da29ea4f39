import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectSandbox } from './client.ts';

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'oneslot-bridge-'));
const socket = join(folder, 'run', 'agent.sock');
let agent: ChildProcess;

function bridge() {
  const child = spawn(process.execPath, [program('./bridge.ts'), socket], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return { child, exited, stream: Duplex.from({ readable: child.stdout, writable: child.stdin }) };
}

async function connect(epoch: number) {
  const lost: string[] = [];
  const { child, exited, stream } = bridge();
  const client = await connectSandbox(stream, { epoch, onLost: (reason) => lost.push(reason) });
  return { client, child, exited, lost };
}

describe('bridge to a listening agent', { timeout: 30_000 }, () => {
  beforeAll(() => {
    writeFileSync(join(folder, 'a.txt'), 'alpha\n');
    agent = spawn(
      process.execPath,
      [program('./agent/main.ts'), '--root', folder, '--socket', socket, '--isolation', 'container'],
      { stdio: 'inherit' },
    );
  });

  afterAll(() => {
    agent.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('waits for the agent to boot, and ends when its stdin does', async () => {
    const { client, exited } = await connect(1);
    expect(client.hello).toMatchObject({ isolation: 'container', epoch: 1 });
    expect(await client.files.stat('a.txt')).toMatchObject({ sizeBytes: 6 });
    client.close();
    await exited;
  });

  it('keeps a command for the runner that comes back', async () => {
    const first = await connect(2);
    const running = first.client.commands.run(
      { command: 'echo begun; sleep 30', timeoutMs: 60_000, background: false, tty: false },
      {},
    );
    running.catch(() => undefined);
    await vi.waitFor(async () => expect(await first.client.commands.list()).toHaveLength(1));
    first.child.kill('SIGKILL');
    await expect(running).rejects.toMatchObject({ code: 'sandbox_lost' });
    expect(first.lost).toHaveLength(1);
    const { client, exited } = await connect(3);
    expect(client.hello.bootId).toBe(first.client.hello.bootId);
    const [job] = await client.commands.list();
    expect(job).toMatchObject({ command: 'echo begun; sleep 30', state: 'running', lastLine: 'begun' });
    if (job) await client.commands.stop(job.processId, 'kill');
    client.close();
    await exited;
  });

  it('is cut off when a higher epoch takes over', async () => {
    const old = await connect(4);
    const young = await connect(5);
    await old.exited;
    expect(old.lost).toHaveLength(1);
    await expect(connect(4)).rejects.toMatchObject({ code: 'conflict' });
    expect(await young.client.ping()).toBeGreaterThanOrEqual(0);
    young.client.close();
    await young.exited;
  });
});
