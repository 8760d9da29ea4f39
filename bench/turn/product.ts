import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/free-port.ts';
import { type ApiClient, createApiClient, field } from './api-client.ts';

export type Product = {
  pid: number;
  converse: (id: string, workspace: string) => Promise<void>;
  stop: () => Promise<void>;
};

const root = resolve(import.meta.dirname, '../..');

/** Starts the product on an empty data folder, with the scripted server as its one model. */
export async function startProduct(options: {
  modelUrl: string;
  engine: string;
  databaseUrl: string | undefined;
}): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'oneslot-bench-'));
  const port = await freePort();
  const args = ['scripts/start.mjs', '--port', String(port), '--data', dataDir, '--engine', options.engine];
  const env = {
    ...process.env,
    OPENAI_BASE_URL: options.modelUrl,
    OPENAI_API_KEY: 'scripted',
    ONESLOT_MODEL: 'scripted',
  };
  if (options.databaseUrl) Object.assign(env, { ONESLOT_DATABASE_URL: options.databaseUrl });
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env });
  const output = await readUntilReady(child.stdout, once(child, 'exit'));
  const api = createApiClient(`http://localhost:${port}`);
  await api.signInBySetup(/https?:\/\/\S+\/setup\S*/.exec(output)?.[0] ?? '');
  return {
    pid: child.pid ?? 0,
    converse: (id, workspace) => converse(api, id, workspace),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function readUntilReady(stream: NodeJS.ReadableStream, exit: Promise<unknown>): Promise<string> {
  let output = '';
  const ready = new Promise<void>((done) => {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Oneslot is ready')) done();
    });
  });
  await Promise.race([ready, exit.then(() => Promise.reject(new Error(`The product ended:\n${output}`)))]);
  return output;
}

/** One session: the workspace goes in as an archive, one prompt starts the script, and its end is awaited. */
async function converse(api: ApiClient, id: string, workspace: string): Promise<void> {
  const sessionId = field(
    await api.mutate('sessions.create', { title: id, mode: 'autopilot', modelId: await scriptedModel(api) }),
    'id',
  );
  await api.putArchive(
    sessionId,
    new Uint8Array(execFileSync('tar', ['-C', workspace, '-c', '.'], { maxBuffer: 64 * 1024 * 1024 })),
  );
  await api.mutate('sessions.send', {
    sessionId,
    text: `Please do the scripted work in this workspace. conv=${id}`,
    messageId: crypto.randomUUID(),
  });
  // Rarely, because looking costs the machine that is being measured.
  for (;;) {
    await sleep(500);
    const status = field(await api.query('sessions.get', { sessionId }), 'status');
    if (status === 'idle') break;
    if (status !== 'running') throw new Error(`The session ${id} is ${status} instead of running to its end.`);
  }
  // Its container and volume would else outlive the data folder.
  await api.mutate('sessions.remove', { sessionId });
}

async function scriptedModel(api: ApiClient): Promise<string> {
  const models = (await api.query('models.list')) as { id: string; name: string }[];
  const found = models.find(({ name }) => name === 'scripted');
  if (!found) throw new Error(`The product lists no model "scripted": ${JSON.stringify(models)}`);
  return found.id;
}
