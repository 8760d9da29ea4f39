import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { MessageChannel, Worker } from 'node:worker_threads';
import { portStream } from './port-stream.ts';

/** What the worker is told when it starts. */
export type SimulatedStart = { workspace: string; temporary: string };

/** A bundle keeps its workers beside it under plain names. */
export function workerUrl(name: 'main' | 'shell'): URL {
  return new URL(import.meta.url.endsWith('.ts') ? `./${name}.ts` : `./simulated-${name}.mjs`, import.meta.url);
}

/**
 * The agent without host processes, in a worker thread. `folder` is the sandbox's own: `workspace` and `tmp` in it
 * are made here. The stream ends with the worker, and the worker with the stream.
 */
export function startSimulated(folder: string): Duplex {
  const start: SimulatedStart = { workspace: join(folder, 'workspace'), temporary: join(folder, 'tmp') };
  mkdirSync(start.workspace, { recursive: true, mode: 0o700 });
  mkdirSync(start.temporary, { recursive: true, mode: 0o700 });
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(workerUrl('main'), {
    workerData: { ...start, port: port2 },
    transferList: [port2],
    env: {},
    stdin: false,
  });
  const stream = portStream(port1);
  worker.on('error', (error) => stream.destroy(error));
  worker.on('exit', () => stream.destroy());
  stream.on('close', () => void worker.terminate());
  return stream;
}
