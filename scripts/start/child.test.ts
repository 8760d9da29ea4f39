import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startChild } from './child.ts';

// The child dials home, so that its death is an event of the socket and nobody has to look again and again.
const deaf = `
import { connect } from 'node:net';
connect(Number(process.env.HOME_PORT), '127.0.0.1').on('error', () => process.exit(1));
if (process.env.DEAF) process.on('SIGTERM', () => {});
console.log('one');
console.error('two');
`;

let folder = '';
let home: Server;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oneslot-child-'));
  writeFileSync(join(folder, 'child.mjs'), deaf);
  home = createServer().listen(0, '127.0.0.1');
  await once(home, 'listening');
});
afterEach(() => {
  home.close();
  rmSync(folder, { recursive: true, force: true });
});

function childEnv(more: Record<string, string> = {}) {
  const { port } = home.address() as AddressInfo;
  return { ...process.env, HOME_PORT: String(port), ...more };
}

async function connected(): Promise<Socket> {
  const [socket] = await once(home, 'connection');
  return socket.resume().on('error', () => undefined);
}

describe('startChild', () => {
  test('hands on its lines and ends it when asked', async () => {
    const lines: string[] = [];
    const onLine = (line: string, from: string): void => void lines.push(`${from}: ${line}`);
    const child = startChild({ script: join(folder, 'child.mjs'), cwd: folder, env: childEnv(), onLine });
    await connected();
    await child.stop(5000);
    expect(lines.sort()).toEqual(['stderr: two', 'stdout: one']);
    expect(await child.ended).toBe(143);
  });

  test('ends a child that will not listen', async () => {
    const env = childEnv({ DEAF: '1' });
    const child = startChild({ script: join(folder, 'child.mjs'), cwd: folder, env, onLine: () => undefined });
    await connected();
    await child.stop(50);
    expect(await child.ended).toBe(137);
  });

  test('leaves no orphan when its parent is killed without a chance to clean up', async () => {
    const parent = join(folder, 'parent.mjs');
    const call = `startChild({ script: ${JSON.stringify(join(folder, 'child.mjs'))}, cwd: '.', env: process.env, onLine() {} });`;
    writeFileSync(
      parent,
      `const { startChild } = await import(${JSON.stringify(join(import.meta.dirname, 'child.ts'))});\n${call}`,
    );
    const started = spawn(process.execPath, [parent], { env: childEnv(), stdio: 'ignore' });
    const socket = await connected();
    started.kill('SIGKILL');
    await once(socket, 'close');
  });
});
