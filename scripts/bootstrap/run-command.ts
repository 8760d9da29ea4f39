import { spawn } from 'node:child_process';
import { root } from './paths.ts';

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

/** Runs a program to its end. The code is 127 when it did not start, 128 and more when a signal ended it. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandEnd> {
  const { promise, resolve } = Promise.withResolvers<CommandEnd>();
  const child = spawn(program, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...quiet, ...options.env },
    stdio: options.show ? 'inherit' : [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    shell: process.platform === 'win32' && program !== process.execPath,
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-200_000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  if (options.input !== undefined) child.stdin?.end(options.input);
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
