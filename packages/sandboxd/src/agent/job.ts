import type { OperationResult, ProcessInfo } from '../operations.ts';
import { type OutputChannel, OutputLog } from './output-log.ts';

export type JobEnd = { exitCode: number | null; signal: string | null; cwd: string | null; lingering: boolean };
/** What started a job hands back: how to end it and what it opened. */
export type JobControl = {
  kill(first: NodeJS.Signals, graceMs: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
  ports(): number[];
};

const lastLineChars = 200;
const lastLineBytes = 4_096;

/** One command, from start until it is forgotten. */
export class Job {
  readonly id: string;
  readonly command: string;
  readonly log = new OutputLog();
  readonly startedAt = performance.now();
  /** Declared to run on, or moved there when it reached its limit. */
  background: boolean;
  control: JobControl | null = null;
  end: JobEnd | null = null;
  endedAt = 0;
  lastOutputAt = performance.now();
  readonly exited: Promise<JobEnd>;
  /** Where each caller's last poll ended, so that all of them see everything. */
  readonly cursors = new Map<string, number>();
  onOutput: ((channel: OutputChannel, bytes: Buffer) => void) | null = null;
  #resolveExit: (end: JobEnd) => void = () => undefined;
  readonly #waiters = new Set<() => void>();

  constructor(id: string, command: string, background: boolean) {
    this.id = id;
    this.command = command;
    this.background = background;
    this.exited = new Promise((resolve) => {
      this.#resolveExit = resolve;
    });
  }

  append(channel: OutputChannel, bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.log.append(channel, bytes);
    this.lastOutputAt = performance.now();
    this.onOutput?.(channel, bytes);
    this.#wakeAll();
  }

  finish(end: JobEnd): void {
    if (this.end !== null) return;
    this.end = end;
    this.endedAt = performance.now();
    this.#resolveExit(end);
    this.#wakeAll();
  }

  /** Resolves at the next output or at the end. */
  changed(): { happened: Promise<void>; forget(): void } {
    let wake: () => void = () => undefined;
    const happened = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiters.add(wake);
    return { happened, forget: () => this.#waiters.delete(wake) };
  }

  describe(): ProcessInfo {
    return {
      processId: this.id,
      command: this.command.slice(0, 2_000),
      state: this.end === null ? 'running' : 'exited',
      exitCode: this.end?.exitCode ?? null,
      ageMs: Math.round(performance.now() - this.startedAt),
      lastLine: this.#lastLine(),
      listeningPorts: this.end === null ? (this.control?.ports() ?? []) : [],
    };
  }

  report(cwd: string): OperationResult<'commands.run'> {
    return {
      processId: this.id,
      state: this.end === null ? 'running' : 'exited',
      exitCode: this.end?.exitCode ?? null,
      signal: this.end?.signal ?? null,
      durationMs: Math.round((this.end === null ? performance.now() : this.endedAt) - this.startedAt),
      cwd,
      stdoutBytes: this.log.keptOf('stdout'),
      stderrBytes: this.log.keptOf('stderr'),
      droppedBytes: this.log.start,
      listeningPorts: this.end === null ? (this.control?.ports() ?? []) : [],
      lingering: this.end?.lingering ?? false,
    };
  }

  #lastLine(): string {
    const tail = Buffer.concat([...this.log.read(Math.max(this.log.start, this.log.end - lastLineBytes))]).toString(
      'utf8',
    );
    return tail.trimEnd().split('\n').at(-1)?.slice(-lastLineChars) ?? '';
  }

  #wakeAll(): void {
    const waiting = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiting) wake();
  }
}
