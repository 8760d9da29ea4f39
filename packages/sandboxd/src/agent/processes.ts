import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AgentError, reasonOf } from '../agent-error.ts';
import type { CommandRequest } from '../operations.ts';
import { isInside, lstatInside, type Root, resolveReal, toRelative } from './confine.ts';
import { checkEnvironment } from './environment.ts';
import type { Job, JobControl } from './job.ts';
import type { Directories, StartJob } from './jobs.ts';
import { killTree, signalGroup } from './kill.ts';
import { listeningPorts } from './proc.ts';
import { type LoadPty, startPty } from './pty.ts';
import { createShells, type ShellProcess } from './shell-process.ts';

/** Long enough for output still in the pipes, short enough not to be felt. */
const lingerMs = 250;
/** For what is still to be read once all that wrote it are gone. */
const drainMs = 1_000;

/** Starts commands as real processes below `root`: own session and group, allow-listed environment, a cookie. */
export function createProcessStarter(root: Root, environment: NodeJS.ProcessEnv, loadPty: LoadPty | null): StartJob {
  const startShell = createShells(root.path, environment);
  return (job, request, cwd) => {
    const { command, stdin, env = {} } = request;
    checkEnvironment(env);
    if (command.includes('\0')) throw new AgentError('invalid_input', 'The command holds a NUL byte.');
    const folder = join(root.path, cwd);
    if (request.tty) return startOnTerminal(loadPty, { job, request, folder, environment });
    const shell = startShell({ folder, command, env, stdin: stdin !== undefined });
    feedInput(shell.child, request);
    collectOutput(shell.child, job);
    watchEnd(shell, job);
    return controlOf(shell);
  };
}

type TerminalStart = { job: Job; request: CommandRequest; folder: string; environment: NodeJS.ProcessEnv };

/** The same on a terminal: one stream of output, and no word of where it ended. */
function startOnTerminal(loadPty: LoadPty | null, { job, request, folder, environment }: TerminalStart): JobControl {
  if (!loadPty)
    throw new AgentError('unavailable', 'This sandbox has no terminal library.', { next: 'Run it without tty.' });
  const words = ['--noprofile', '--norc', '-c', request.command];
  const pty = startPty(loadPty, { words, folder, environment, extra: request.env ?? {}, columns: 120, rows: 40 });
  pty.onData((bytes) => job.append('stdout', bytes));
  if (request.stdin !== undefined) pty.write(Buffer.from(request.stdin));
  void pty.ended.then((end) => job.finish({ ...end, cwd: null, lingering: false }));
  return { kill: pty.kill, signal: pty.signal, ports: pty.ports };
}

/** Keeps where the last command ended, as long as that is inside the workspace. */
export function createDirectories(root: Root): Directories {
  let current = '.';
  const isFolder = (relative: string) => lstatInside(root, relative)?.isDirectory() ?? false;
  return {
    enter(cwd) {
      if (cwd === undefined) return isFolder(current) ? current : '.';
      const relative = toRelative(root, cwd);
      const real = resolveReal(root, relative);
      const inside = real === root.path ? '.' : real.slice(root.path.length + 1);
      if (!isFolder(inside)) throw new AgentError('not_directory', `"${relative}" is no folder.`);
      return inside;
    },
    leave(cwd) {
      if (cwd !== null && isInside(root, cwd)) current = cwd === root.path ? '.' : cwd.slice(root.path.length + 1);
      return current;
    },
  };
}

function feedInput(child: ChildProcess, request: CommandRequest): void {
  if (request.stdin === undefined || child.stdin === null) return;
  // A command that does not read its input closes the pipe; that is no failure.
  child.stdin.on('error', () => undefined);
  child.stdin.end(request.stdin);
}

function collectOutput(child: ChildProcess, job: Job): void {
  child.stdout?.on('data', (bytes: Buffer) => job.append('stdout', bytes));
  child.stderr?.on('data', (bytes: Buffer) => job.append('stderr', bytes));
}

function controlOf({ child, cookie }: ShellProcess): JobControl {
  const groupId = child.pid;
  return {
    kill: async (first, graceMs) => {
      if (groupId !== undefined) await killTree({ groupId, cookie, first, graceMs });
    },
    signal: (name) => {
      if (groupId !== undefined) signalGroup(groupId, name);
    },
    ports: () => listeningPorts(cookie),
  };
}

/**
 * A foreground command ends when its shell does: what it left behind holding the pipes is ended with it. A
 * background command runs as long as anything of it holds them.
 */
function watchEnd({ child, cookie }: ShellProcess, job: Job): void {
  const directory = readDirectory(child.stdio[3] as Readable | null);
  let lingering = false;
  let ending: Promise<boolean> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const finish = (exitCode: number | null, signal: NodeJS.Signals | null) => {
    clearTimeout(timer);
    job.finish({ exitCode, signal, cwd: directory(), lingering });
  };
  child.on('error', (error: NodeJS.ErrnoException) => {
    const why = error.code === 'EAGAIN' ? 'the process limit is reached' : reasonOf(error);
    job.append('stderr', Buffer.from(`The command could not be started: ${why}\n`));
    finish(null, null);
  });
  child.on('close', async (code, signal) => {
    if (ending !== null) lingering = await ending;
    finish(code, signal);
  });
  const letGo = async (code: number | null, signal: NodeJS.Signals | null) => {
    if (job.background || job.end !== null || child.pid === undefined) return;
    ending = killTree({ groupId: child.pid, cookie, first: 'SIGTERM', graceMs: 200 });
    await ending;
    // Nobody writes any more, so the pipes close once they are read; who left group and cookie may hold them still.
    timer = setTimeout(() => {
      lingering = true;
      for (const stream of child.stdio) stream?.destroy();
      finish(code, signal);
    }, drainMs);
  };
  child.on('exit', (code, signal) => {
    if (job.end === null) timer = setTimeout(() => void letGo(code, signal), lingerMs);
  });
}

function readDirectory(stream: Readable | null): () => string | null {
  let text = '';
  stream?.on('data', (bytes: Buffer) => {
    if (text.length < 8_192) text += bytes.toString('utf8');
  });
  return () => text.split('\n')[0] || null;
}
