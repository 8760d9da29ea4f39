import { randomUUID } from 'node:crypto';
import { type Catalog, type Clock, loadTools, registerTools, type ToolSpec } from '@oneslot/core';
import type { Database } from '@oneslot/db';
import { createModelChooser, type EnvironmentProvider } from './models/choose-model.ts';
import { createKeepAliveFetch } from './models/keep-alive-fetch.ts';
import { loadCommandParser } from './ports/command-parser.ts';
import { createImageShrinker } from './ports/image-shrinker.ts';
import { createSandboxFiles } from './ports/sandbox-files.ts';
import { systemClock, systemRandom } from './ports/system-clock.ts';
import { type ChosenEngine, chooseEngine, type EngineConfig } from './sandbox/choose-engine.ts';
import { createSessionSandboxes, type SessionSandboxes } from './sandbox/session-sandboxes.ts';
import type { RunnerServices } from './services.ts';
import { epochOfLease } from './sessions/epoch-of-lease.ts';
import { createEventLog, type EventLog } from './sessions/events.ts';
import { resumeAtBoot, resumeSessions } from './sessions/resume-sessions.ts';
import { createSessionRunner, type SessionRunner } from './sessions/run-session.ts';
import type { SessionDeps } from './sessions/session-deps.ts';
import { listBuiltinTools } from './sources/builtin.ts';
import { summarizeTools } from './sources/summarize-tools.ts';
import type { OutputLimits, Stores } from './store/contract.ts';
import { createEventStore } from './store/event-store.ts';
import type { SecretBox } from './store/secret-box.ts';
import { createStores } from './store/stores.ts';

export type WireOptions = {
  database: Database;
  /** Seals provider keys. */
  box: SecretBox;
  engine: EngineConfig;
  environment: EnvironmentProvider | null;
  /** Limits of stored outputs for organizations that chose none. */
  outputs?: OutputLimits;
  /** Tools of sources beside our own folder. They can neither shadow a built-in one nor keep it from being listed. */
  foreignTools?: readonly ToolSpec[];
  /** The operator's log: what failed and why, never content. */
  report(problem: { message: string; cause: unknown }): void;
};

export type Wired = {
  stores: Stores;
  log: EventLog;
  services: RunnerServices;
  catalog: Catalog;
  engine: ChosenEngine;
  sandboxes: SessionSandboxes;
  runner: SessionRunner;
  /** The one clock of the process. */
  clock: Clock;
  /** At boot: what a dead runner left open goes on. */
  resume(): Promise<void>;
  /** Every 5 s: sessions with work and nobody on it. */
  sweep(): Promise<void>;
  close(): Promise<void>;
};

/** The one place that names every implementation. Order: what is durable, what acts, who drives. */
export async function wire(options: WireOptions): Promise<Wired> {
  const { database, report, environment } = options;
  const stores = createStores(database, options.box, options.outputs);
  // By itself: loading the rest keeps the process so busy that an engine that answers would seem not to.
  const engine = await chooseEngine(options.engine);
  const [log, catalog, parser] = await loadParts(options);
  const runnerId = randomUUID();
  const epochOf = (sessionId: string) => epochOfLease(stores.sessions, { sessionId, runnerId, clock: systemClock });
  const sandboxes = openSandboxes({ engine, stores, log, report, epochOf });
  const keepAlive = createKeepAliveFetch();
  const models = createModelChooser({ models: stores.models, environment, clock: systemClock, fetch: keepAlive.fetch });
  const runner = createSessionRunner({
    runnerId,
    stores,
    log,
    models,
    sandboxes: sandboxesForTurns(sandboxes, engine),
    catalog,
    ...{ parser, media: createImageShrinker(report) },
    clock: systemClock,
    random: systemRandom,
    report,
  });
  const files = createSandboxFiles(sandboxes, engine);
  const tools = { list: () => summarizeTools(catalog) };
  const resuming = { sessions: stores.sessions, runner, clock: systemClock };
  return {
    stores,
    log,
    catalog,
    engine,
    sandboxes,
    runner,
    services: { sessions: runner, sandboxes: files, models, tools },
    clock: systemClock,
    resume: () => resumeAtBoot(resuming, database.kind),
    sweep: () => resumeSessions(resuming),
    close: () => closeInOrder([runner, sandboxes, log, keepAlive]),
  };
}

function loadParts({ database, foreignTools = [], report }: WireOptions) {
  const onError = (cause: unknown) => report({ message: 'An event could not be stored.', cause });
  const store = createEventStore(database);
  return Promise.all([createEventLog({ store, onError }), loadCatalog(foreignTools, report), loadCommandParser()]);
}

/** What a turn may ask of sandboxes, and no more. */
function sandboxesForTurns(sandboxes: SessionSandboxes, engine: ChosenEngine): SessionDeps['sandboxes'] {
  return {
    open: (sessionId) => sandboxes.open(sessionId),
    warm: (sessionId) => sandboxes.warm(sessionId),
    leave: (sessionId) => sandboxes.leave(sessionId),
    isolation: engine.isolation,
    imageDigest: () => sandboxes.imageDigest(),
  };
}

/** Who drives ends before what acts, and that before what stores. */
async function closeInOrder(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts) await part.close();
}

async function loadCatalog(foreign: readonly ToolSpec[], report: WireOptions['report']): Promise<Catalog> {
  const { specs, failures } = await loadTools(await listBuiltinTools());
  for (const { name, reason, cause } of failures)
    report({ message: `The tool ${name} is unavailable: ${reason}`, cause });
  return registerTools([...specs, ...foreign], failures);
}

type SandboxParts = {
  engine: ChosenEngine;
  stores: Stores;
  log: EventLog;
  report: WireOptions['report'];
  epochOf(sessionId: string): Promise<number>;
};

function openSandboxes({ engine, stores, log, report, epochOf }: SandboxParts): SessionSandboxes {
  return createSessionSandboxes({
    engine: engine.engine,
    reason: engine.reason,
    epochOf,
    store: {
      find: (sessionId) => stores.sandboxes.findSandbox(sessionId),
      async save(row) {
        const session = await stores.sessions.getSessionState(row.sessionId);
        if (session) await stores.sandboxes.saveSandbox({ ...row, organizationId: session.organizationId });
      },
      list: () => stores.sandboxes.listSandboxes(),
      remove: (sessionId) => stores.sandboxes.removeSandbox(sessionId),
    },
    onChange: (sessionId, change) => log.post(sessionId, change),
    onError: (cause, doing) => report({ message: `Failed while ${doing}.`, cause }),
  });
}
