import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { connectSandbox } from './client.ts';
import { startSimulated } from './simulated/start.ts';
import { describeSandbox } from './testing/contract-suite.ts';

const agent = fileURLToPath(new URL('./agent/main.ts', import.meta.url));

async function open(start: (folder: string) => Duplex) {
  const folder = mkdtempSync(join(tmpdir(), 'oneslot-test-'));
  mkdirSync(join(folder, 'workspace'));
  const client = await connectSandbox(start(folder), { epoch: 1, onLost: () => undefined });
  return {
    client,
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

describeSandbox({ name: 'agent over stdio', open: () => open(startAgent), processes: true });
describeSandbox({ name: 'simulated', open: () => open(startSimulated), processes: false });
