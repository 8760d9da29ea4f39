import type { Clock } from '../contract/ports.ts';
import { ToolError } from '../errors.ts';

/** How long a cancelled or late tool may take to stop before its slot is filled without it. */
const graceMs = 900;
/** How long its lock is kept for one that does not stop; by then its processes have been killed. */
const letGoMs = 10_000;

export type TimedRun<T> = {
  name: string;
  /** Null waits for people. */
  timeoutMs: number | null;
  signal: AbortSignal;
  clock: Clock;
  run(signal: AbortSignal): Promise<T>;
  /** Called once, when the work has really ended or can no longer be waited for. */
  onEnded(): void;
};

/** Runs within its time; a cancel reaches it at once and fills the slot in under a second, whatever it does. */
export async function limitTime<T>(timed: TimedRun<T>): Promise<T> {
  const { clock, signal } = timed;
  const inner = new AbortController();
  const timers = new AbortController();
  const running = start(timed, inner.signal);
  const late =
    timed.timeoutMs === null ? never : after(clock, timed.timeoutMs, timers.signal).then(() => fail(timedOut(timed)));
  const stopped = aborted(signal, timers.signal).then(() =>
    fail(
      new ToolError('cancelled', `${timed.name} was stopped with the turn.`, {
        changed: 'unknown; the work was stopped on its way',
      }),
    ),
  );
  try {
    return await Promise.race([running, late, stopped]);
  } catch (error) {
    if (inner.signal.aborted || !(error instanceof Stop)) throw error;
    inner.abort(error.reason);
    // A tool that stops in time may have something better to say than that it was stopped.
    const last = await Promise.race([settled(running), after(clock, graceMs, timers.signal)]);
    if (signal.aborted || last === undefined || last.kind === 'failed') throw error.reason;
    return last.value;
  } finally {
    timers.abort();
    void releaseWhenEnded(timed, running);
  }
}

class Stop extends Error {
  readonly reason: ToolError;
  constructor(reason: ToolError) {
    super(reason.message);
    this.reason = reason;
  }
}

const never = new Promise<never>(() => undefined);
const fail = (reason: ToolError): never => {
  throw new Stop(reason);
};

/** A tool that throws before its first await must fail its slot like any other. */
async function start<T>(timed: TimedRun<T>, signal: AbortSignal): Promise<T> {
  return timed.run(signal);
}

async function settled<T>(running: Promise<T>): Promise<{ kind: 'done'; value: T } | { kind: 'failed' }> {
  return running.then(
    (value) => ({ kind: 'done' as const, value }),
    () => ({ kind: 'failed' as const }),
  );
}

async function releaseWhenEnded<T>(timed: TimedRun<T>, running: Promise<T>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([settled(running), after(timed.clock, letGoMs, timer.signal)]);
  timer.abort();
  timed.onEnded();
}

/** Resolves after the time, or never once `stop` fires: clocks differ in how they end a sleep. */
function after(clock: Clock, ms: number, stop: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    clock.sleep(ms, stop).then(
      () => {
        if (!stop.aborted) resolve(undefined);
      },
      () => undefined,
    );
  });
}

function aborted(signal: AbortSignal, stop: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true, signal: stop }));
}

function timedOut({ name, timeoutMs }: Pick<TimedRun<unknown>, 'name' | 'timeoutMs'>): ToolError {
  return new ToolError('timeout', `${name} did not end within ${(timeoutMs ?? 0) / 1000} s and was stopped.`, {
    changed: 'unknown; the work was stopped on its way',
    next: 'Ask for less at once, or look at what was done before you repeat it.',
  });
}
