import { randomInt } from 'node:crypto';
import { AgentError } from '../agent-error.ts';
import type { CommandRequest, OperationArgs, OperationResult, ProcessInfo } from '../operations.ts';
import { Job, type JobControl } from './job.ts';
import { pollJob } from './poll.ts';
import type { Handlers } from './serve.ts';
import type { CallContext } from './server-call.ts';

/** Starts the command of a job; must arrange that `job.finish` is called exactly once. @throws AgentError */
export type StartJob = (job: Job, request: CommandRequest, cwd: string) => JobControl;
export type Directories = {
  /** Workspace-relative folder to start in. @throws AgentError */
  enter(cwd: string | undefined): string;
  /** Remembers where a command ended. */
  leave(cwd: string | null): string;
};

const liveLimit = 20;
const finishedLimit = 64;
const keptOutputBytes = 268_435_456;
const firstLookMs = 1_000;
const stopGraceMs = 5_000;
const cancelGraceMs = 200;
/** How long a foreground command outlives the connection that started it. */
const orphanGraceMs = 30_000;
const outputLimitBytes = 67_108_864;

/** The commands of one sandbox: at most 20 alive, finished ones kept until there are too many. */
export class JobTable {
  readonly #jobs = new Map<string, Job>();
  readonly #start: StartJob;
  readonly #directories: Directories;
  #orphanTimer: NodeJS.Timeout | undefined;
  readonly #orphans = new Set<Job>();

  constructor(start: StartJob, directories: Directories) {
    this.#start = start;
    this.#directories = directories;
  }

  get liveCount(): number {
    return this.#live().length;
  }

  handlers(): Pick<Handlers, 'commands.run' | 'commands.list' | 'commands.poll' | 'commands.stop' | 'commands.output'> {
    return {
      'commands.run': (request, call) => this.run(request, call),
      'commands.list': async () => this.list(),
      'commands.poll': (request, call) => pollJob(this.#find(request.processId), request, call.signal),
      'commands.stop': (request) => this.stop(request),
      'commands.output': (request, call) => this.output(request, call),
    };
  }

  async run(request: CommandRequest, call: CallContext): Promise<OperationResult<'commands.run'>> {
    this.#checkQuota();
    const cwd = this.#directories.enter(request.cwd);
    const job = new Job(this.#newId(), request.command, request.background);
    job.control = this.#start(job, request, cwd);
    this.#jobs.set(job.id, job);
    this.#forgetOld();
    job.onOutput = (channel, bytes) => call.show(channel === 'stdout' ? 'out' : 'err', bytes);
    try {
      await waitFor(job, request.background ? firstLookMs : request.timeoutMs, call.signal);
      await this.#judgeLimit(job);
    } catch (error) {
      if (error instanceof AgentError && error.code === 'sandbox_lost') this.#orphan(job);
      else await job.control.kill('SIGTERM', cancelGraceMs);
      throw error;
    } finally {
      job.onOutput = null;
    }
    return job.report(job.background || job.end === null ? cwd : this.#directories.leave(job.end.cwd));
  }

  list(): ProcessInfo[] {
    return [...this.#jobs.values()].filter((job) => job.background || job.end === null).map((job) => job.describe());
  }

  async stop({ processId, signal }: OperationArgs<'commands.stop'>): Promise<ProcessInfo> {
    const job = this.#find(processId);
    if (job.end !== null || job.control === null) return job.describe();
    if (signal === 'int') job.control.signal('SIGINT');
    else await job.control.kill(signal === 'kill' ? 'SIGKILL' : 'SIGTERM', signal === 'kill' ? 0 : stopGraceMs);
    await waitFor(job, signal === 'int' ? stopGraceMs : 1_000);
    return job.describe();
  }

  async output(
    { processId, stream }: OperationArgs<'commands.output'>,
    call: CallContext,
  ): Promise<OperationResult<'commands.output'>> {
    const job = this.#find(processId);
    let bytes = 0;
    for (const piece of job.log.read(0, stream)) {
      await call.write(piece);
      bytes += piece.length;
    }
    return { bytes, droppedBytes: job.log.start };
  }

  /** The runner came or went: what it left running waits for it a while. */
  controllerChanged(connected: boolean): void {
    clearTimeout(this.#orphanTimer);
    if (connected) {
      for (const job of this.#orphans) job.background = true;
      this.#orphans.clear();
      return;
    }
    this.#orphanTimer = setTimeout(() => {
      for (const job of this.#orphans) void job.control?.kill('SIGTERM', cancelGraceMs);
      this.#orphans.clear();
    }, orphanGraceMs);
    this.#orphanTimer.unref();
  }

  async killAll(): Promise<void> {
    await Promise.all(this.#live().map((job) => job.control?.kill('SIGTERM', cancelGraceMs)));
  }

  /** At its limit a command moves to the background, unless it floods: then it ends here. */
  async #judgeLimit(job: Job): Promise<void> {
    if (job.end !== null) return;
    if (job.background || job.log.end <= outputLimitBytes) {
      job.background = true;
      return;
    }
    await job.control?.kill('SIGTERM', cancelGraceMs);
    await waitFor(job, 1_000);
  }

  #orphan(job: Job): void {
    if (job.end === null && !job.background) this.#orphans.add(job);
  }

  #live(): Job[] {
    return [...this.#jobs.values()].filter((job) => job.end === null);
  }

  #checkQuota(): void {
    const live = this.#live();
    if (live.length < liveLimit) return;
    throw new AgentError(
      'quota_exceeded',
      `${live.length} commands are running, the limit is ${liveLimit}: ${live.map((job) => job.id).join(', ')}.`,
      {
        next: 'Stop one with command_stop, or wait for one with command_poll.',
      },
    );
  }

  #find(processId: string): Job {
    const job = this.#jobs.get(processId);
    if (job) return job;
    const live = this.#live().map(({ id }) => id);
    throw new AgentError(
      'not_found',
      `No process "${processId.slice(0, 64)}". ${live.length > 0 ? `Running: ${live.join(', ')}.` : 'None is running.'}`,
      {
        next: 'Call command_poll without process_id to list them.',
      },
    );
  }

  #newId(): string {
    for (;;) {
      const id = `p_${randomInt(36 ** 4)
        .toString(36)
        .padStart(4, '0')}`;
      if (!this.#jobs.has(id)) return id;
    }
  }

  #forgetOld(): void {
    const finished = [...this.#jobs.values()].filter((job) => job.end !== null);
    let kept = [...this.#jobs.values()].reduce((sum, job) => sum + job.log.keptBytes, 0);
    for (const [index, job] of finished.entries()) {
      if (finished.length - index <= finishedLimit && kept <= keptOutputBytes) return;
      kept -= job.log.keptBytes;
      job.log.discard();
      this.#jobs.delete(job.id);
    }
  }
}

/** Until the job ends or the time is over. @throws the reason of `signal` */
async function waitFor(job: Job, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const interrupted = new Promise<void>((resolve, reject) => {
    timer = setTimeout(resolve, timeoutMs);
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([job.exited, interrupted]);
  } finally {
    clearTimeout(timer);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }
}
