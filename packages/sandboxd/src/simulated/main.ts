import { randomUUID } from 'node:crypto';
import { MessagePort, workerData } from 'node:worker_threads';
import * as z from 'zod/mini';
import { openRoot } from '../agent/confine.ts';
import { AgentServer } from '../agent/serve.ts';
import { agentVersion } from '../agent/version.ts';
import { createSimulatedHandlers } from './handlers.ts';
import { portStream } from './port-stream.ts';

const startSchema = z.object({ workspace: z.string(), temporary: z.string(), port: z.instanceof(MessagePort) });

async function main(): Promise<void> {
  // The small build of zod has no words of its own for what is wrong.
  z.config(z.locales.en());
  const { workspace, temporary, port } = startSchema.parse(workerData);
  const { handlers, jobs } = createSimulatedHandlers(openRoot(workspace, { linksStayInside: true }), temporary);
  const features = { pty: false, git: false, ripgrep: false, background: true, processes: false };
  const server = new AgentServer(handlers, {
    version: agentVersion,
    bootId: randomUUID(),
    isolation: 'simulated',
    features,
  });
  await server.serve(portStream(port));
  await jobs.killAll();
  process.exit(0);
}

await main();
