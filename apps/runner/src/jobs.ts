import { PgBoss } from 'pg-boss';
import { expireDue } from './ports/approval-inbox.ts';
import type { EventLog } from './sessions/event-log.ts';
import type { Stores } from './store/contract.ts';
import type { ExecuteSql } from './store/open-store.ts';

export type JobsDeps = {
  executeSql: ExecuteSql;
  approvals: Pick<Stores['approvals'], 'expireApprovals'>;
  outputs: Pick<Stores['outputs'], 'sweepOutputs'>;
  /** Outputs that were being written before then are nobody's any more. */
  abandonedBefore: Date;
  log: Pick<EventLog, 'append'>;
  /** Starts work on a session here; the lease decides whether it really is ours. */
  wake(sessionId: string): void;
  /** Wakes every session with work and no live lease. */
  wakeIdle(): Promise<void>;
  now(): Date;
  report(problem: { message: string; cause: unknown }): void;
};
export type Jobs = {
  /** Tells whichever runner is free; losing one is harmless, since the sweep finds the session. */
  wakeAny(sessionId: string): Promise<void>;
  close(): Promise<void>;
};

const turnQueue = 'turn';
const sweepMs = 5_000;
const outputSweepMs = 3_600_000;
/** Writing one output takes seconds; what is open for longer was left so by a crash. */
const abandonedMs = 3_600_000;

/** Wake-ups and schedules on the shared pool. Nothing here holds work: rows do, and leases say whose it is. */
export async function startJobs(deps: JobsDeps): Promise<Jobs> {
  const boss = new PgBoss({ db: { executeSql: deps.executeSql }, schedule: false });
  boss.on('error', (cause) => deps.report({ message: 'the job queue failed', cause }));
  await boss.start();
  await boss.createQueue(turnQueue, { policy: 'short', retryLimit: 0, deleteAfterSeconds: 3_600 });
  await boss.work<{ sessionId: string }>(turnQueue, { pollingIntervalSeconds: 2, batchSize: 20 }, async (jobs) => {
    for (const job of jobs) deps.wake(job.data.sessionId);
  });
  const sweeping = repeat(sweepMs, () => sweep(deps), deps);
  const tidying = repeat(outputSweepMs, () => sweepOutputs(deps), deps);
  tidying.now(() => sweepOutputs(deps, deps.abandonedBefore));
  return {
    wakeAny: async (sessionId) => {
      await boss.send(turnQueue, { sessionId }, { singletonKey: sessionId });
    },
    close: async () => {
      await sweeping.stop();
      await tidying.stop();
      await boss.stop({ graceful: false, close: false });
    },
  };
}

type Repeated = { now(act: () => Promise<void>): void; stop(): Promise<void> };

/** Rounds never overlap, and the end waits for the one that runs. */
function repeat(everyMs: number, act: () => Promise<void>, { report }: Pick<JobsDeps, 'report'>): Repeated {
  const state: { running: Promise<void> | null } = { running: null };
  const now = (one: () => Promise<void>) => {
    state.running ??= one()
      .catch((cause: unknown) => report({ message: 'a sweep failed', cause }))
      .finally(() => {
        state.running = null;
      });
  };
  const timer = setInterval(() => now(act), everyMs);
  return {
    now,
    stop: async () => {
      clearInterval(timer);
      await state.running;
    },
  };
}

/** Stored outputs past their days or over quota go, and what a crash left half-written. */
export async function sweepOutputs(
  deps: Pick<JobsDeps, 'outputs' | 'now'>,
  abandonedBefore = new Date(deps.now().getTime() - abandonedMs),
): Promise<void> {
  await deps.outputs.sweepOutputs({ now: deps.now(), abandonedBefore });
}

/** Finds what no wake-up told of: approvals whose deadline has passed, and work without a live lease. */
export async function sweep(
  deps: Pick<JobsDeps, 'approvals' | 'log' | 'wake' | 'wakeIdle' | 'now' | 'report'>,
): Promise<void> {
  for (const row of await expireDue({ ...deps, now: deps.now() })) deps.wake(row.sessionId);
  await deps.wakeIdle();
}
