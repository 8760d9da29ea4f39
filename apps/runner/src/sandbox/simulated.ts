import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { startSimulated } from '@oneslot/sandboxd';
import type { SandboxEngine } from './engine.ts';
import { FolderEngine, type RunningAgent } from './folder-engine.ts';

export type SimulatedOptions = {
  dataDir: string;
};

/** The embedded engine: sandboxd in a worker thread, a shell that starts no program of this machine. */
export function createSimulatedEngine({ dataDir }: SimulatedOptions): SandboxEngine {
  return new FolderEngine({
    name: 'simulated',
    root: join(dataDir, 'sandboxes'),
    imageDigest: 'simulated:1',
    capabilities: {
      isolation: 'simulated',
      pause: false,
      tty: false,
      limits: false,
      quota: false,
      survivesRunner: false,
    },
    launch: startWorker,
  });
}

function startWorker(folder: string): RunningAgent {
  const stream = startSimulated(folder);
  const exited = finished(stream).then(
    () => ({ code: 0, oom: false, reason: 'the worker ended' }),
    (error: Error) => ({ code: null, oom: false, reason: error.message }),
  );
  return { stream, kill: () => void stream.destroy(), exited };
}
