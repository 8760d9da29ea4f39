import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { allowedOrigins } from './allowed-origins.ts';
import { createAuth } from './auth.ts';
import type { Env } from './env.ts';
import { createIdentity } from './identity.ts';
import { type Jobs, startJobs } from './jobs.ts';
import { report } from './report.ts';
import { readSecrets, type Secrets } from './secret-key.ts';
import { createServer } from './server.ts';
import { createSetup, type Setup } from './setup-token.ts';
import type { OpenPool } from './store/open-pool.ts';
import { type OpenStore, openStore } from './store/open-store.ts';
import { type Wired, wire } from './wire.ts';

export type Running = { close(): Promise<void> };

/** In order: migrations, engine and catalog, sessions, server, jobs. */
export async function boot(env: Env, opened: OpenPool): Promise<Running> {
  const secrets = readSecrets(env);
  const closing: (() => Promise<void>)[] = [];
  // What came up last goes down first, also when a later step of the boot fails.
  const close = async () => {
    for (const one of closing.reverse().splice(0)) await one();
  };
  try {
    const store = await openStore(opened, secrets.encryption);
    closing.push(() => store.database.close());
    if (store.migrated.length > 0) console.log(`database: ${store.migrated.length} migration(s) applied`);
    const wired = await wire({
      ...store,
      engine: await engineConfig(env, secrets, store),
      environment: env.environmentProvider,
      outputs: env.outputs,
      report,
    });
    closing.push(() => wired.close());
    const jobs: { current: Jobs | null } = { current: null };
    const { server, setup } = await openServer(env, secrets, store, wired, jobs);
    closing.push(() => server.close());
    await server.listen({ port: env.port, host: env.host });
    jobs.current = await startJobs(jobsOver(store, wired));
    closing.push(async () => jobs.current?.close());
    await wired.resume();
    await greet(env, wired, setup);
    return { close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function engineConfig(env: Env, secrets: Secrets, store: OpenStore) {
  return {
    engine: env.engine,
    listenHost: env.host,
    memberCount: await store.accounts.countUsers(),
    dataDir: env.dataDir,
    installationId: secrets.installationId,
    rootDir: env.rootDir,
    path: env.path,
    ...(env.dockerHost !== null && { dockerHost: env.dockerHost }),
  };
}

async function openServer(
  env: Env,
  secrets: Secrets,
  store: OpenStore,
  wired: Wired,
  jobs: { current: Jobs | null },
): Promise<{ server: FastifyInstance; setup: Setup }> {
  const origins = allowedOrigins(env);
  const auth = createAuth({
    adapter: store.authAdapter,
    secret: secrets.auth,
    publicUrl: env.publicUrl,
    origins: origins.origins,
  });
  const setup = createSetup({ accounts: store.accounts, auth, clock: wired.clock });
  const isShared = store.database.kind === 'postgres';
  const sessions = {
    ...wired.services.sessions,
    wake: (sessionId: string) => {
      wired.services.sessions.wake(sessionId);
      // The lease may be held, or soon be taken, by a runner elsewhere; a single one needs no telling.
      if (!isShared) return;
      jobs.current
        ?.wakeAny(sessionId)
        .catch((cause: unknown) => report({ message: 'a wake-up was not queued', cause }));
    },
  };
  const server = await createServer({
    stores: wired.stores,
    log: wired.log,
    services: { ...wired.services, sessions },
    auth,
    identity: createIdentity({ auth, members: wired.stores.members, csrfKey: secrets.csrf, clock: wired.clock }),
    setup,
    origins,
    clock: wired.clock,
    installation: { version: readVersion(env), databaseKind: store.database.kind },
    ping: store.ping,
    web:
      env.webUrl === null
        ? null
        : { url: env.webUrl, isDevelopment: env.isDevelopment, isSecure: env.publicUrl.startsWith('https:') },
    report,
  });
  return { server, setup };
}

function jobsOver(store: OpenStore, wired: Wired) {
  return {
    executeSql: store.executeSql,
    approvals: wired.stores.approvals,
    outputs: wired.stores.outputs,
    abandonedBefore: abandonedBefore(store, wired.clock.now()),
    log: wired.log,
    wake: wired.services.sessions.wake,
    wakeIdle: wired.sweep,
    now: () => new Date(wired.clock.now()),
    report,
  };
}

/** The embedded database has one runner at a time, so what this one did not begin is dead; a server may have others. */
function abandonedBefore({ database }: OpenStore, now: number): Date {
  const graceMs = database.kind === 'pglite' ? 0 : 3_600_000;
  return new Date(now - process.uptime() * 1_000 - graceMs);
}

async function greet(env: Env, wired: Wired, setup: Setup): Promise<void> {
  const { name, isolation, reason } = wired.engine;
  console.log(`engine: ${name} (isolation: ${isolation}). ${reason}`);
  const token = await setup.issue();
  if (token === null) console.log(`Oneslot runs at ${env.publicUrl}`);
  else
    console.log(
      `First start. Create the owner account with this one-time link:\n  ${env.publicUrl}/setup?token=${token}`,
    );
}

function readVersion(env: Env): string {
  const text: unknown = JSON.parse(readFileSync(`${env.rootDir}/package.json`, 'utf8'));
  return typeof text === 'object' && text !== null && 'version' in text ? String(text.version) : 'unknown';
}
