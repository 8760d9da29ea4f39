import { createArchiveHandlers } from '../agent/archive.ts';
import { type Root, workspaceName } from '../agent/confine.ts';
import { createFileHandlers } from '../agent/file-handlers.ts';
import { grepInProcess } from '../agent/grep-fallback.ts';
import { JobTable } from '../agent/jobs.ts';
import { createDirectories } from '../agent/processes.ts';
import type { Handlers } from '../agent/serve.ts';
import { measureUsage } from '../agent/usage.ts';
import { AgentError } from '../agent-error.ts';
import { createShellStarter } from './shells.ts';

/** The same operations with nothing of the host under them but one folder. */
export function createSimulatedHandlers(root: Root, temporary: string): { handlers: Handlers; jobs: JobTable } {
  const folders = createDirectories(root);
  const directories = {
    enter: (cwd: string | undefined) => folders.enter(cwd),
    leave: (cwd: string | null) =>
      folders.leave(cwd?.startsWith(workspaceName) ? root.path + cwd.slice(workspaceName.length) : null),
  };
  const jobs = new JobTable(createShellStarter(root.path, temporary), directories);
  const handlers: Handlers = {
    ...createFileHandlers(root),
    ...createArchiveHandlers(root),
    ...jobs.handlers(),
    'files.grep': (request, call) => grepInProcess(root, request, call.signal),
    'git.run': () => refuse('git'),
    usage: () => measureUsage(root, jobs.liveCount),
    'terminal.open': () => refuse('A terminal'),
    'terminal.resize': () => refuse('A terminal'),
    'tunnel.open': () => refuse('A preview of a port'),
  };
  return { handlers, jobs };
}

function refuse(what: string): never {
  throw new AgentError('unavailable', `${what} is unavailable in the simulated sandbox.`, {
    next: 'Start Oneslot with Docker to have it.',
  });
}
