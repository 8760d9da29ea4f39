import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database } from '@oneslot/db';
import type { FastifyInstance } from 'fastify';
import { freePort } from '../../../../scripts/free-port.ts';
import { allowedOrigins } from '../../src/allowed-origins.ts';
import { type Auth, createAuth } from '../../src/auth.ts';
import { createIdentity } from '../../src/identity.ts';
import { createServer, type ServerDeps } from '../../src/server.ts';
import type { RunnerServices } from '../../src/services.ts';
import { createEventLog, type EventLog } from '../../src/sessions/events.ts';
import { createSetup, type Setup } from '../../src/setup-token.ts';
import type { Caller, Role, Stores } from '../../src/store/contract.ts';
import { createEventStore } from '../../src/store/event-store.ts';
import { storeOver } from '../../src/store/open-store.ts';
import { createStores } from '../../src/store/stores.ts';
import { seedOrganization } from '../seed.ts';
import { openTestDatabase } from '../test-database.ts';

export type Person = { caller: Caller; cookie: string; csrf: string };
export type Answer = { status: number; body: string; headers: Record<string, unknown> };
export type CallOptions = { headers?: Record<string, string>; type?: 'query' | 'mutation' };
export type ApiWorld = {
  database: Database;
  stores: Stores;
  log: EventLog;
  server: FastifyInstance;
  auth: Auth;
  setup: Setup;
  origin: string;
  /** Sessions the routers woke, and what the fakes were asked to do. */
  asked: string[];
  problems: { message: string; cause: unknown }[];
  /** What the API takes for now: moved by whoever needs a later hour. */
  clock: { aheadMs: number; now(): number };
  join(organizationId: string, name: string, role: Role, approver?: boolean): Promise<Person>;
  call(person: Person | null, path: string, input: unknown, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
};

/** What somebody else has wired and will take down; the API is then the way into it. */
export type WiredParts = { database: Database; stores: Stores; log: EventLog; services: RunnerServices };

/** Everything of the API with real stores, real sign-ins and a server that listens; only engine and models are fakes. */
export async function openApiWorld(
  options: { kind?: Database['kind']; web?: ServerDeps['web']; over?: WiredParts } = {},
): Promise<ApiWorld> {
  const { over } = options;
  const opened = over ? null : await openTestDatabase(options.kind);
  const database = over?.database ?? opened?.database;
  if (!database) throw new Error('There is no database.');
  const store = storeOver(database, randomBytes(32));
  const stores = over?.stores ?? createStores(database, store.box);
  const problems: ApiWorld['problems'] = [];
  const asked: string[] = [];
  const onError = (cause: unknown) => problems.push({ message: 'log', cause });
  const log = over?.log ?? (await createEventLog({ store: createEventStore(database), onError }));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const origins = allowedOrigins({ publicUrl: origin, port, runnerUrl: null });
  const secret = randomBytes(32).toString('hex');
  const auth = createAuth({
    adapter: store.authAdapter,
    secret,
    publicUrl: origin,
    origins: origins.origins,
  });
  const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
  const setup = createSetup({ accounts: store.accounts, auth, clock });
  const server = await createServer({
    stores,
    log,
    services: over?.services ?? fakeServices(stores, asked),
    auth,
    identity: createIdentity({ auth, members: stores.members, csrfKey: randomBytes(32), clock }),
    setup,
    origins,
    clock,
    installation: { version: '0', databaseKind: database.kind },
    ping: store.ping,
    web: options.web ?? null,
    report: (problem) => problems.push(problem),
  });
  await server.listen({ port, host: '127.0.0.1' });

  const call: ApiWorld['call'] = async (person, path, input, { headers, type = 'query' } = {}) => {
    const body = JSON.stringify({ json: input });
    const isQuery = type === 'query';
    const response = await server.inject({
      method: isQuery ? 'GET' : 'POST',
      url: `/api/trpc/${path}${isQuery && input !== undefined ? `?input=${encodeURIComponent(body)}` : ''}`,
      headers: {
        host: `localhost:${port}`,
        ...(person && { cookie: person.cookie }),
        ...(!isQuery && { origin, 'content-type': 'application/json', ...(person && { 'x-csrf-token': person.csrf }) }),
        ...headers,
      },
      ...(!isQuery && { payload: body }),
    });
    return { status: response.statusCode, body: response.body, headers: response.headers };
  };

  return {
    database,
    stores,
    log,
    server,
    auth,
    setup,
    origin,
    asked,
    problems,
    clock,
    call,
    join: async (organizationId, name, role, approver = false) => {
      const userId = randomUUID();
      const token = randomBytes(24).toString('base64url');
      const signIn = { id: randomUUID(), token, expiresAt: new Date(Date.now() + 3_600_000) };
      const email = `${name}-${userId}@example.test`;
      await database.prisma.user.create({ data: { id: userId, name, email, authSessions: { create: signIn } } });
      await database.prisma.member.create({ data: { id: randomUUID(), organizationId, userId, role, approver } });
      // As better-auth signs its cookie; hashing a password for everybody would cost most of the suite's time.
      const signature = createHmac('sha256', secret).update(token).digest('base64');
      const cookie = `oneslot.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
      const person = { caller: { organizationId, userId, role, approver }, cookie, csrf: '' };
      return { ...person, csrf: dataOf<{ csrfToken: string }>(await call(person, 'me', undefined)).csrfToken };
    },
    close: async () => {
      await server.close();
      if (!opened) return;
      await log.close();
      await opened.drop();
    },
  };
}

/** What a successful procedure answered. */
export function dataOf<Data>(answer: Answer): Data {
  const parsed: { result?: { data: { json: Data } } } = JSON.parse(answer.body);
  if (!parsed.result) throw new Error(`No result: ${answer.status} ${answer.body}`);
  return parsed.result.data.json;
}

export type Cast = { acme: string; bolt: string; ana: Person; ben: Person; cho: Person; dev: Person; eve: Person };

/** The people of the adversarial tests: two organizations, every role, one stranger who owns the other one. */
export async function castPeople(world: ApiWorld): Promise<Cast> {
  const acme = await seedOrganization(world.database, 'acme');
  const bolt = await seedOrganization(world.database, 'bolt');
  return {
    acme,
    bolt,
    ana: await world.join(acme, 'ana', 'owner'),
    ben: await world.join(acme, 'ben', 'member'),
    cho: await world.join(acme, 'cho', 'member', true),
    dev: await world.join(acme, 'dev', 'viewer'),
    eve: await world.join(bolt, 'eve', 'owner', true),
  };
}

function fakeServices(stores: Stores, asked: string[]): RunnerServices {
  const note = (what: string) => (sessionId: string) => void asked.push(`${what} ${sessionId}`);
  return {
    sessions: { wake: note('wake'), stop: async (sessionId) => note('stop')(sessionId), isRunning: () => false },
    sandboxes: {
      describe: () => ({
        name: 'simulated',
        isolation: 'simulated',
        reason: 'test',
        imageState: 'none',
        capabilities: [],
      }),
      engines: async () => [],
      listFiles: async (sessionId) => {
        note('list')(sessionId);
        return [];
      },
      readFile: async (sessionId, path) => {
        note('read')(sessionId);
        return { path, text: '', sizeBytes: 0, binary: false, sha256: null };
      },
      importArchive: async (sessionId, tar) => {
        let bytes = 0;
        for await (const chunk of tar) bytes += chunk.length;
        asked.push(`import ${sessionId} ${bytes}`);
      },
      exportArchive: async (sessionId) => {
        note('export')(sessionId);
        return Readable.from([Buffer.from('tar')]);
      },
      remove: async (sessionId) => note('remove')(sessionId),
    },
    models: {
      list: async (organizationId) => [
        {
          id: 'tour',
          name: 'Tour',
          provider: 'built in',
          providerId: null,
          kind: 'tour',
          offline: true,
          isDefault: true,
        },
        ...(await stores.models.listModels(organizationId)).map((row) => ({
          id: row.id,
          name: row.name,
          provider: row.providerName,
          providerId: row.providerId,
          kind: row.dialect,
          offline: false,
          isDefault: false,
        })),
      ],
      test: async () => [],
    },
    tools: { list: () => [] },
  };
}
