import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Mode, SessionEvent, StoredEvent } from '@oneslot/core';
import type { Database } from '@oneslot/db';
import type { EngineName } from '../../src/sandbox/engine.ts';
import { readAllEvents } from '../../src/sessions/read-all-events.ts';
import type { Caller } from '../../src/store/contract.ts';
import { createSecretBox } from '../../src/store/secret-box.ts';
import { type Wired, type WireOptions, wire } from '../../src/wire.ts';
import { seedMember, seedOrganization } from '../seed.ts';
import { openTestDatabase } from '../test-database.ts';
import { makeWorkspace } from './scripted-server.ts';

const rootDir = fileURLToPath(new URL('../../../../', import.meta.url));

export type World = {
  wired: Wired;
  wireOptions: WireOptions;
  database: Database;
  caller: Caller;
  problems: { message: string; cause: unknown }[];
  close(): Promise<void>;
};
export type WorldOptions = {
  engine: EngineName;
  database: Database['kind'];
  modelUrl: string;
  /** Names the provider gives its models; default one. */
  models?: readonly string[];
} & Pick<WireOptions, 'foreignTools' | 'outputs'>;

/** The runner's real parts with a scripted model: everything of a turn but HTTP and the browser. */
export async function openWorld(options: WorldOptions): Promise<World> {
  const opened = await openTestDatabase(options.database);
  const dataDir = mkdtempSync(join(tmpdir(), 'oneslot-world-'));
  const problems: World['problems'] = [];
  const engine = {
    engine: options.engine,
    listenHost: '127.0.0.1',
    dataDir,
    installationId: `test-${randomUUID().slice(0, 8)}`,
    rootDir,
  };
  const wireOptions: WireOptions = {
    database: opened.database,
    box: createSecretBox(randomBytes(32)),
    engine,
    environment: { baseUrl: options.modelUrl, apiKey: 'test-key-0123456789', models: options.models ?? ['scripted'] },
    ...(options.foreignTools && { foreignTools: options.foreignTools }),
    ...(options.outputs && { outputs: options.outputs }),
    report: (problem) => problems.push(problem),
  };
  const organization = await seedOrganization(opened.database, 'acme');
  const world: World = {
    wired: await wire(wireOptions),
    wireOptions,
    database: opened.database,
    caller: await seedMember(opened.database, organization, 'ana', 'owner'),
    problems,
    async close() {
      const { stores, sandboxes } = world.wired;
      for (const row of await stores.sandboxes.listSandboxes()) await sandboxes.remove(row.sessionId);
      await world.wired.close();
      await opened.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return world;
}

/** Goes down and comes up again over the same rows and files, as the process would. */
export async function restartWorld(world: World): Promise<void> {
  await world.wired.close();
  world.wired = await wire(world.wireOptions);
  await world.wired.resume();
}

export async function newSession({ wired, caller }: World, mode: Mode, modelId = 'env:scripted'): Promise<string> {
  const row = { title: 'Session', mode, modelId };
  const sessionId = await wired.stores.sessions.createSession({ caller, ...row, visibility: 'private' });
  await wired.log.append(sessionId, [{ kind: 'session-created', ...row }]);
  return sessionId;
}

export async function send({ wired, caller }: World, sessionId: string, text: string): Promise<void> {
  const message = { messageId: randomUUID(), text, by: caller.userId };
  await wired.stores.messages.queueMessage({ ...message, sessionId, organizationId: caller.organizationId });
  // As the API does: the row holds the whole text, the event what people see of it.
  await wired.log.append(sessionId, [{ kind: 'message-queued', ...message, text: text.slice(0, 1_000) }]);
  wired.runner.wake(sessionId);
}

export function eventsOf({ wired }: World, sessionId: string): Promise<StoredEvent[]> {
  return readAllEvents(wired.log, sessionId);
}

type Kind = SessionEvent['kind'];
/** Waits for the nth event of a kind, woken by the log; the test's own limit ends what never comes. */
export async function waitFor<K extends Kind>(
  world: World,
  sessionId: string,
  kind: K,
  nth = 1,
): Promise<Extract<SessionEvent, { kind: K }>> {
  const { log } = world.wired;
  let wake = () => {};
  const unsubscribe = log.subscribe(sessionId, () => wake());
  const found: SessionEvent[] = [];
  let next = 1;
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      for (const { seq, event } of await log.read(sessionId, next, 1_000)) {
        next = seq + 1;
        if (event.kind === kind) found.push(event);
      }
      const hit = found[nth - 1];
      if (hit) return hit as Extract<SessionEvent, { kind: K }>;
      await woken;
    }
  } finally {
    unsubscribe();
  }
}

/** The scripted scenarios' own small repository, put into the session by the archive route. */
export async function importScenarioWorkspace(world: World, sessionId: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'oneslot-scenario-'));
  await makeWorkspace(folder, { git: false });
  const tar = spawn('tar', ['-c', '-C', folder, '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
  // Read at once: what a child that ended had written is thrown away where nobody reads it yet.
  const chunks: Buffer[] = await tar.stdout.toArray();
  await world.wired.services.sandboxes.importArchive(sessionId, Readable.from(chunks));
  rmSync(folder, { recursive: true, force: true });
}

export function resultsOf(events: readonly StoredEvent[]) {
  return events.flatMap(({ event }) => (event.kind === 'call-finished' ? [event.result] : []));
}
