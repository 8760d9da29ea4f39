import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { connectSandbox } from '../client.ts';
import { startSimulated } from '../simulated/start.ts';

const agent = fileURLToPath(new URL('../agent/main.ts', import.meta.url));

/** A sandbox that needs no engine, in a folder of its own that `close` removes. */
export async function openLocal(kind: 'agent' | 'simulated') {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'oneslot-test-')));
  mkdirSync(join(folder, 'workspace'));
  const stream = kind === 'agent' ? startAgent(folder) : startSimulated(folder);
  const client = await connectSandbox(stream, { epoch: 1, onLost: () => undefined });
  return {
    client,
    folder,
    close: async () => {
      client.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function startAgent(folder: string): Duplex {
  const child = spawn(process.execPath, [agent, '--stdio', '--root', join(folder, 'workspace')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return Duplex.from({ readable: child.stdout, writable: child.stdin });
}
