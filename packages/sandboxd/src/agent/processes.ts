import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AgentError } from '../agent-error.ts';
import type { CommandRequest } from '../operations.ts';
import { isInside, lstatInside, type Root, resolveReal, toRelative } from './confine.ts';
import { checkEnvironment, commandEnvironment } from './environment.ts';
import type { Job, JobControl } from './job.ts';
import type { Directories, StartJob } from './jobs.ts';
import { killTree, signalGroup } from './kill.ts';
import { listeningPorts } from './proc.ts';
import { type LoadPty, startPty } from './pty.ts';

/** Long enough for output still in the pipes, short enough not to be felt. */
const lingerMs = 250;
const niceness = 5;

/**
 * What bash runs around the command: the kernel takes it before it takes the agent, and its last act tells on
 * descriptor 3 where it ended. `exec` and a trap of the command's own leave the directory unknown, no more.
 */
const wrapper = 'echo 900 2>/dev/null >/proc/self/oom_score_adj; trap \'pwd -P >&3 2>/dev/null\' EXIT; eval "$1"';

/** Starts commands as real processes below `root`: own session and group, allow-listed environment, a cookie. */
export function createProcessStarter(root: Root, environment: NodeJS.ProcessEnv, loadPty: LoadPty | null): StartJob {
  return (job, request, cwd) => {
    checkEnvironment(request.env ?? {});
    if (request.tty) return startOnTerminal(loadPty, { job, request, folder: join(root.path, cwd), environment });
    const cookie = randomBytes(16).toString('hex');
    const child = spawn('bash', ['--noprofile', '--norc', '-c', wrapper, 'bash', request.command], {
      cwd: join(root.path, cwd),
      env: commandEnvironment(environment, request.env ?? {}, cookie),
      detached: true,
      stdio: [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe'],
    });
    lowerPriority(child.pid);
    feedInput(child, request);
    collectOutput(child, job);
    const control = controlOf(child, cookie);
    watchEnd(child, job, control);
    return control;
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

function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
  } catch (error) {
    // It may have ended already, and then has no priority to lower.
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
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

function controlOf(child: ChildProcess, cookie: string): JobControl {
  return {
    kill: async (first, graceMs) => {
      if (child.pid !== undefined) await killTree({ groupId: child.pid, cookie, first, graceMs });
    },
    signal: (name) => {
      if (child.pid !== undefined) signalGroup(child.pid, name);
    },
    ports: () => listeningPorts(cookie),
  };
}

/**
 * A foreground command ends when its shell does: what it left behind holding the pipes is ended with it. A
 * background command runs as long as anything of it holds them.
 */
function watchEnd(child: ChildProcess, job: Job, control: JobControl): void {
  const directory = readDirectory(child.stdio[3] as Readable | null);
  let lingering = false;
  let closed = false;
  const finish = (exitCode: number | null, signal: NodeJS.Signals | null) => {
    closed = true;
    job.finish({ exitCode, signal, cwd: directory(), lingering });
  };
  child.on('error', (error: NodeJS.ErrnoException) => {
    const why = error.code === 'EAGAIN' ? 'the process limit is reached' : error.message;
    job.append('stderr', Buffer.from(`The command could not be started: ${why}\n`));
    finish(null, null);
  });
  child.on('close', finish);
  child.on('exit', (code, signal) => {
    setTimeout(() => {
      if (closed || job.background) return;
      lingering = true;
      void control.kill('SIGTERM', 200).then(() => {
        for (const stream of child.stdio) stream?.destroy();
        finish(code, signal);
      });
    }, lingerMs);
  });
}

function readDirectory(stream: Readable | null): () => string | null {
  let text = '';
  stream?.on('data', (bytes: Buffer) => {
    if (text.length < 8_192) text += bytes.toString('utf8');
  });
  return () => text.split('\n')[0] || null;
}
