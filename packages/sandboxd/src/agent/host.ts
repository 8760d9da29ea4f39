import { AgentError } from '../agent-error.ts';
import type { AgentFeatures } from '../protocol.ts';
import { createArchiveHandlers } from './archive.ts';
import type { Root } from './confine.ts';
import { createFileHandlers } from './file-handlers.ts';
import { runGit } from './git.ts';
import { grepWithRipgrep } from './grep.ts';
import { grepInProcess } from './grep-fallback.ts';
import { JobTable } from './jobs.ts';
import { createDirectories, createProcessStarter } from './processes.ts';
import type { LoadPty } from './pty.ts';
import type { Handlers } from './serve.ts';
import { createTerminalHandlers } from './terminals.ts';
import { measureUsage } from './usage.ts';

export type HostParts = { root: Root; features: AgentFeatures; environment: NodeJS.ProcessEnv; pty: LoadPty | null };

/** Every operation of an agent that has a real system under it. */
export function createHostHandlers({ root, features, environment, pty }: HostParts): {
  handlers: Handlers;
  jobs: JobTable;
} {
  const jobs = new JobTable(createProcessStarter(root, environment, pty), createDirectories(root));
  const grep = features.ripgrep ? grepWithRipgrep : grepInProcess;
  const handlers: Handlers = {
    ...createFileHandlers(root),
    ...createArchiveHandlers(root),
    ...jobs.handlers(),
    'files.grep': (request, call) => grep(root, request, call.signal),
    'git.run': ({ args }, call) => {
      if (!features.git) throw new AgentError('unavailable', 'git is not installed in this sandbox.');
      return runGit(root, args, call.signal);
    },
    usage: () => measureUsage(root, jobs.liveCount),
    'terminal.open': () => refuse('Terminals need a library that this sandbox lacks.'),
    'terminal.resize': () => refuse('Terminals need a library that this sandbox lacks.'),
    ...(pty === null ? {} : createTerminalHandlers(root, environment, pty)),
    'tunnel.open': () => refuse('Tunnels to a port are not built yet.'),
  };
  return { handlers, jobs };
}

function refuse(what: string): never {
  throw new AgentError('unavailable', what);
}
