import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setPriority } from 'node:os';
import { Writable } from 'node:stream';
import { atQuiet, Spare } from '../spare.ts';
import { commandEnvironment } from './environment.ts';
import { findProgram } from './programs.ts';

/** A bash in a session and group of its own; `cookie` marks all it starts. Descriptor 3 tells where it ended. */
export type ShellProcess = { child: ChildProcess; cookie: string };
export type ShellStart = { folder: string; command: string; env: Record<string, string>; stdin: boolean };

const niceness = 5;
/** So long nothing was started, before the next shell is started ahead. */
const quietMs = 200;
/** Bash reads from a pipe byte by byte: a longer command is quicker as an argument. */
const fedLimitChars = 2_000;

/** The kernel takes it before it takes the agent. `exec` and a trap of the command's own leave the end untold, no more. */
const prologue = "echo 900 2>/dev/null >/proc/self/oom_score_adj; trap 'pwd -P >&3 2>/dev/null' EXIT; ";
const atOnce = `${prologue}eval "$1"`;
/** Waits on descriptor 4 for folder and command; ends with the agent, whose end closes it. */
const whenFed =
  `${prologue}IFS= read -rd '' -u 4 || exit; ` +
  'cd -- "$REPLY" 2>/dev/null || { echo "The folder of the command is gone." >&2; exit 125; }; ' +
  `IFS= read -rd '' -u 4 || exit; exec 4<&-; set -- "$REPLY"; unset REPLY OLDPWD; export OLDPWD; SECONDS=0; eval "$1"`;

/**
 * Starts shells. To start a process is most of what a short command costs, so one shell waits for the next command
 * that needs nothing of its own: no variables, no input.
 */
export function createShells(
  root: string,
  environment: NodeJS.ProcessEnv,
  later = atQuiet(quietMs),
): (start: ShellStart) => ShellProcess {
  const program = findProgram('bash', environment.PATH) ?? 'bash';
  const spares = new Spare<ShellProcess>({
    make: () => spawnShell(program, { words: [whenFed, 'bash'], folder: root, environment, env: {}, stdio: fedStdio }),
    usable: ({ child }) => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    later,
  });
  return ({ folder, command, env, stdin }) => {
    const plain = !stdin && Object.keys(env).length === 0 && command.length <= fedLimitChars;
    if (!plain) {
      const stdio: Stdio = [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'];
      return spawnShell(program, { words: [atOnce, 'bash', command], folder, environment, env, stdio });
    }
    const shell = spares.take();
    feed(shell.child, folder, command);
    return shell;
  };
}

type Stdio = ('pipe' | 'ignore')[];
const fedStdio: Stdio = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'];
type ShellSpawn = {
  words: string[];
  folder: string;
  environment: NodeJS.ProcessEnv;
  env: Record<string, string>;
  stdio: Stdio;
};

function spawnShell(program: string, { words, folder, environment, env, stdio }: ShellSpawn): ShellProcess {
  const cookie = randomBytes(16).toString('hex');
  const child = spawn(program, ['--noprofile', '--norc', '-c', ...words], {
    cwd: folder,
    env: commandEnvironment(environment, env, cookie),
    detached: true,
    stdio,
  });
  // A spare that could not be started is not used; whoever takes one listens for itself.
  child.on('error', () => undefined);
  lowerPriority(child.pid);
  return { child, cookie };
}

function feed(child: ChildProcess, folder: string, command: string): void {
  const line = child.stdio[4];
  if (!(line instanceof Writable)) return;
  // It may have ended just now, which its end tells.
  line.on('error', () => undefined);
  line.end(`${folder}\0${command}\0`);
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
