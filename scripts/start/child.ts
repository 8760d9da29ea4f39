import { type ChildProcess, spawn } from 'node:child_process';
import { inRoot } from '../bootstrap/paths.ts';

export type ChildOptions = {
  script: string;
  args?: readonly string[];
  nodeArgs?: readonly string[];
  cwd: string;
  env: Record<string, string | undefined>;
  onLine: (line: string, from: 'stdout' | 'stderr') => void;
};
export type Child = {
  pid: number;
  /** The exit code; 128 and more where a signal ended it. */
  ended: Promise<number>;
  /** Asks it to end, and after the grace ends its whole process group. */
  stop: (graceMs: number) => Promise<void>;
};

/** A Node process of ours in a process group of its own, so that Ctrl-C reaches only the start script. */
export function startChild(options: ChildOptions): Child {
  const preload = inRoot('scripts/start/end-with-parent.mjs');
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      preload,
      ...(options.nodeArgs ?? []),
      options.script,
      ...(options.args ?? []),
    ],
    {
      cwd: options.cwd,
      env: { ...options.env, ONESLOT_START_PID: String(process.pid) },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    },
  );
  readLines(child, 'stdout', options.onLine);
  readLines(child, 'stderr', options.onLine);
  const { promise: ended, resolve } = Promise.withResolvers<number>();
  child.on('error', (error) => {
    options.onLine(error.message, 'stderr');
    resolve(127);
  });
  child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 143)));
  return { pid: child.pid ?? 0, ended, stop: (graceMs) => stop(child, ended, graceMs) };
}

async function stop(child: ChildProcess, ended: Promise<number>, graceMs: number): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => killGroup(child), graceMs);
  await ended;
  clearTimeout(timer);
  killGroup(child);
}

function killGroup(child: ChildProcess): void {
  if (!child.pid) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the whole group is gone already, which is what is wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

function readLines(child: ChildProcess, from: 'stdout' | 'stderr', onLine: ChildOptions['onLine']): void {
  let rest = '';
  child[from]?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line, from);
  });
  child[from]?.on('end', () => {
    if (rest) onLine(rest, from);
  });
}
