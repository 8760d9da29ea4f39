import { Worker } from 'node:worker_threads';
import * as z from 'zod/mini';
import { workspaceName } from '../agent/confine.ts';
import { checkEnvironment } from '../agent/environment.ts';
import type { Job, JobControl } from '../agent/job.ts';
import type { StartJob } from '../agent/jobs.ts';
import { AgentError } from '../agent-error.ts';
import { atQuiet, Spare } from '../spare.ts';
import { workerUrl } from './start.ts';

/** What a shell worker is asked, and what it answers. */
export type ShellRequest = { command: string; cwd: string; env: Record<string, string>; stdin: string };
export type ShellAnswer = { stdout: Uint8Array; stderr: Uint8Array; exitCode: number; cwd: string };
const answerSchema = z.object({
  stdout: z.instanceof(Uint8Array),
  stderr: z.instanceof(Uint8Array),
  exitCode: z.int(),
  cwd: z.string(),
});

const memoryMiB = 512;

/** After the start, and after each command, this much quiet comes before a thread is made ahead. */
const quietMs = 500;

/**
 * Starts commands in threads of their own: a loop that never pauses would else silence the agent, and a thread can
 * be ended. One is kept ready; a thread serves again after a command that ended by itself.
 */
export function createShellStarter(workspace: string, temporary: string): StartJob {
  const threads: Spare<ShellThread> = new Spare({
    make: () => new ShellThread({ workspace, temporary }, giveBack),
    usable: (thread) => thread.alive,
    later: atQuiet(quietMs),
  });
  const giveBack = (thread: ShellThread) => {
    if (!threads.giveBack(thread)) void thread.end('SIGTERM');
  };
  return (job, request, cwd) => {
    checkEnvironment(request.env ?? {});
    if (request.tty)
      throw new AgentError('unavailable', 'The simulated sandbox has no terminal.', {
        next: 'Run it without tty, or start Oneslot with Docker, which brings terminals.',
      });
    const folder = cwd === '.' ? workspaceName : `${workspaceName}/${cwd}`;
    return threads.take().run(job, {
      command: request.command,
      cwd: folder,
      env: request.env ?? {},
      stdin: request.stdin ?? '',
    });
  };
}

/** One thread with a shell in it, and the job it works on. */
class ShellThread {
  alive = true;
  readonly #worker: Worker;
  readonly #onFree: (thread: ShellThread) => void;
  #job: Job | null = null;
  #signal: string | null = null;

  constructor(data: { workspace: string; temporary: string }, onFree: (thread: ShellThread) => void) {
    this.#onFree = onFree;
    this.#worker = new Worker(workerUrl('shell'), {
      workerData: data,
      env: {},
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: memoryMiB },
    });
    this.#worker.on('message', (message: unknown) => this.#answered(message));
    this.#worker.on('error', (error: Error) => this.#ended(`The shell ended: ${reasonOfWorker(error)}`));
    this.#worker.on('exit', () => this.#ended('The shell ended.'));
  }

  run(job: Job, request: ShellRequest): JobControl {
    this.#job = job;
    this.#worker.postMessage(request);
    const end = (name: string) => (this.#job === job ? this.end(name) : Promise.resolve());
    return { kill: (first) => end(first), signal: (name) => void end(name), ports: () => [] };
  }

  async end(signal: string): Promise<void> {
    this.#signal = signal;
    this.alive = false;
    await this.#worker.terminate();
  }

  #answered(message: unknown): void {
    const job = this.#job;
    if (!job) return;
    const answer = answerSchema.parse(message);
    this.#job = null;
    this.#onFree(this);
    job.append('stdout', toBuffer(answer.stdout));
    job.append('stderr', toBuffer(answer.stderr));
    job.finish({ exitCode: answer.exitCode, signal: null, cwd: answer.cwd, lingering: false });
  }

  #ended(message: string): void {
    this.alive = false;
    const job = this.#job;
    this.#job = null;
    if (!job) return;
    if (this.#signal === null) job.append('stderr', Buffer.from(`${message}\n`));
    job.finish({ exitCode: this.#signal === null ? 1 : null, signal: this.#signal, cwd: null, lingering: false });
  }
}

/** Only a limit is told as it is: other errors are the runner's own and name its files. */
function reasonOfWorker(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? `it needed more than ${memoryMiB} MiB of memory.` : 'it failed.';
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
