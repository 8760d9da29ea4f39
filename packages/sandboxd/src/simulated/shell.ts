import { parentPort, workerData } from 'node:worker_threads';
import { Bash, stdoutKind } from 'just-bash';
import * as z from 'zod/mini';
import { missingPrograms } from './missing-programs.ts';
import { createShellFiles } from './shell-files.ts';
import type { ShellAnswer } from './shells.ts';

const startSchema = z.object({ workspace: z.string(), temporary: z.string() });
const requestSchema = z.object({
  command: z.string(),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  stdin: z.string(),
});

/** The thread can be ended from outside, so these only keep one command from eating all memory. */
const limits = {
  maxCommandCount: 50_000_000,
  maxLoopIterations: 50_000_000,
  maxAwkIterations: 50_000_000,
  maxSedIterations: 50_000_000,
  maxWorkUnits: 500_000_000,
  maxOutputSize: 67_108_864,
};

function createShell(): Bash {
  const { workspace, temporary } = startSchema.parse(workerData);
  return new Bash({
    fs: createShellFiles(workspace, temporary),
    cwd: '/workspace',
    env: {
      HOME: '/tmp',
      TMPDIR: '/tmp',
      USER: 'agent',
      LOGNAME: 'agent',
      LANG: 'C.UTF-8',
      PATH: '/usr/local/bin:/usr/bin:/bin',
    },
    executionLimits: limits,
    customCommands: missingPrograms(),
  });
}

async function run(shell: Bash, message: unknown): Promise<ShellAnswer> {
  const { command, cwd, env, stdin } = requestSchema.parse(message);
  const result = await shell.exec(command, { cwd, env: { ...env, PWD: cwd }, stdin, rawScript: true });
  return {
    stdout: outputBytes(result.stdout, stdoutKind(result) === 'bytes'),
    stderr: Buffer.from(result.stderr, 'utf8'),
    exitCode: result.exitCode,
    cwd: result.env.PWD ?? cwd,
  };
}

/**
 * Output that is no UTF-8 leaves the shell as one character a byte, and nothing marks it. NUL and the control
 * characters behind ASCII tell it from text, which has neither.
 */
function outputBytes(text: string, marked: boolean): Buffer {
  const isRaw = marked || (/[\0\u0080-\u009f]/.test(text) && !/[^\0-\u00ff]/.test(text));
  return Buffer.from(text, isRaw ? 'latin1' : 'utf8');
}

const shell = createShell();
parentPort?.on('message', (message: unknown) => {
  run(shell, message).then(
    (answer) => parentPort?.postMessage(answer),
    (error: Error) =>
      parentPort?.postMessage({
        stdout: Buffer.alloc(0),
        stderr: Buffer.from(`bash: ${error.message}\n`),
        exitCode: 1,
        cwd: '',
      }),
  );
});
