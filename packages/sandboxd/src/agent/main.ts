import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Duplex } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { isolationSchema } from '../protocol.ts';
import { openRoot } from './confine.ts';
import { createHostHandlers } from './host.ts';
import { AgentServer } from './serve.ts';
import { listenOnSocket } from './socket.ts';

export const agentVersion = '0.1.0';

const optionsSchema = z.object({
  root: z.string(),
  socket: z.string(),
  isolation: isolationSchema,
  stdio: z.boolean(),
});

function readOptions(words: string[]): z.infer<typeof optionsSchema> {
  const value = (name: string, fallback: string) => {
    const at = words.indexOf(`--${name}`);
    return at === -1 ? fallback : words[at + 1];
  };
  return optionsSchema.parse({
    root: value('root', '/workspace'),
    socket: value('socket', '/tmp/oneslot/agent.sock'),
    isolation: value('isolation', 'none'),
    stdio: words.includes('--stdio'),
  });
}

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore', timeout: 5_000 });
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const features = { pty: false, git: hasProgram('git'), ripgrep: hasProgram('rg'), background: true, processes: true };
  const { handlers, jobs } = createHostHandlers(openRoot(options.root), features, process.env);
  const identity = { version: agentVersion, bootId: randomUUID(), isolation: options.isolation, features };
  const server = new AgentServer(handlers, identity, (connected) => jobs.controllerChanged(connected));
  const stop = () => void jobs.killAll().finally(() => process.exit(0));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (!options.stdio) return listenOnSocket(options.socket, (stream) => void server.serve(stream));
  // The one stream is the agent's whole life: who started it over stdio has no other way back in.
  await server.serve(Duplex.from({ readable: process.stdin, writable: process.stdout }));
  stop();
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
