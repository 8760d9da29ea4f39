import { spawn } from 'node:child_process';
import { inRoot, root } from './paths.ts';

export type CommandOptions = {
  cwd?: string;
  env?: Record<string, string>;
  /** Shown as it comes instead of kept. */
  show?: boolean;
  /** Given on standard input, which is empty otherwise. */
  input?: string;
};
export type CommandEnd = { code: number; output: string };

// None of our own steps calls home, and none may ask a question.
const quiet = { CHECKPOINT_DISABLE: '1', NEXT_TELEMETRY_DISABLED: '1', TURBO_TELEMETRY_DISABLED: '1' };

const endWithParent = inRoot('scripts/start/end-with-parent.mjs');

/** Runs a program to its end. The code is 127 when it did not start, 128 and more when a signal ended it. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandEnd> {
  const { promise, resolve } = Promise.withResolvers<CommandEnd>();
  // A step of ours would else go on by itself when this process is killed: its input closes, and then it ends.
  const watches = program === process.execPath && options.input === undefined && !options.show;
  const child = spawn(program, watches ? ['--import', endWithParent, ...args] : args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...quiet, ...options.env, ...(watches && { ONESLOT_START_PID: String(process.pid) }) },
    stdio: options.show ? 'inherit' : ['pipe', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && program !== process.execPath,
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-200_000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  if (!watches) child.stdin?.end(options.input);
  const end = (): void => void child.kill('SIGTERM');
  process.once('exit', end);
  child.on('error', (error) => resolve({ code: 127, output: error.message }));
  child.on('close', (code, signal) => {
    process.off('exit', end);
    resolve({ code: code ?? (signal === 'SIGINT' ? 130 : 143), output });
  });
  return promise;
}

/** The last lines of a long output, where the reason of a failure stands. */
export function lastLines(output: string, count = 30): string {
  return output.trimEnd().split('\n').slice(-count).join('\n');
}
