import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import * as z from 'zod/mini';
import { isolationSchema } from '../protocol.ts';
import { openRoot } from './confine.ts';
import { createHostHandlers } from './host.ts';
import { findProgram } from './programs.ts';
import { findPty } from './pty.ts';
import { AgentServer } from './serve.ts';
import { listenOnSocket } from './socket.ts';
import { openStdio } from './stdio.ts';
import { agentVersion } from './version.ts';

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

/** The home of commands lies on a fresh tmpfs in a container and has to be made each time. */
function makeHome(home: string | undefined): void {
  if (home?.startsWith('/tmp/')) mkdirSync(home, { recursive: true, mode: 0o700 });
}

async function main(): Promise<void> {
  // The small build of zod has no words of its own for what is wrong.
  z.config(z.locales.en());
  const options = readOptions(process.argv.slice(2));
  makeHome(process.env.HOME);
  const pty = findPty();
  const features = {
    pty: pty !== null,
    git: findProgram('git') !== null,
    ripgrep: findProgram('rg') !== null,
    background: true,
    processes: true,
  };
  const { handlers, jobs } = createHostHandlers({
    root: openRoot(options.root),
    features,
    environment: process.env,
    pty,
  });
  const identity = { version: agentVersion, bootId: randomUUID(), isolation: options.isolation, features };
  const server = new AgentServer(handlers, identity, (connected) => jobs.controllerChanged(connected));
  const stop = () => void jobs.killAll().finally(() => process.exit(0));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (!options.stdio) return listenOnSocket(options.socket, (stream) => void server.serve(stream));
  // The one stream is the agent's whole life: who started it over stdio has no other way back in.
  await server.serve(openStdio());
  stop();
}

await main();
