import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { appRouter } from '../src/router.ts';
import { type ApiWorld, type Cast, castPeople, dataOf, openApiWorld, type Person } from './lib/api-world.ts';

// Numbers are those of the adversarial tests, section A.

const definition = z.object({ type: z.string(), inputs: z.array(z.unknown()).default([]) });
const procedures = Object.keys(appRouter._def.procedures).map((path) => ({
  path,
  ...definition.parse(Reflect.get(Reflect.get(appRouter._def.procedures, path), '_def')),
}));
const open = new Set(['me', 'setup.status', 'setup.claim']);
const guarded = procedures.filter(({ path }) => !open.has(path));

describe('access, tenancy, transport', () => {
  let world: ApiWorld;
  let cast: Cast;

  beforeAll(async () => {
    world = await openApiWorld();
    cast = await castPeople(world);
  });
  afterAll(() => world.close());

  const create = async (person: Person) =>
    dataOf<{ id: string }>(await world.call(person, 'sessions.create', {}, { type: 'mutation' })).id;
  const streamUrl = (sessionId: string) =>
    `${world.origin}/api/trpc/events?input=${encodeURIComponent(JSON.stringify({ json: { sessionId } }))}`;
  const stream = (person: Person | null, sessionId: string, headers: Record<string, string> = {}) =>
    fetch(streamUrl(sessionId), { headers: { ...(person && { cookie: person.cookie }), ...headers } });

  test('security 2: the archive of a foreign session answers as that of an unknown one', async () => {
    const sessionId = await create(cast.ana);
    for (const method of ['GET', 'PUT'] as const) {
      const ask = (id: string) =>
        world.server.inject({
          method,
          url: `/api/sessions/${id}/archive`,
          headers: {
            host: new URL(world.origin).host,
            origin: world.origin,
            cookie: cast.eve.cookie,
            'x-csrf-token': cast.eve.csrf,
            'content-type': 'application/x-tar',
          },
          payload: 'tar',
        });
      const foreign = await ask(sessionId);
      const unknown = await ask(randomUUID());
      expect([foreign.statusCode, foreign.body]).toEqual([404, unknown.body]);
    }
    expect(world.asked.filter((line) => line.includes(sessionId))).toEqual([]);
  });

  test('security 3: a colleague who was not invited gets no stream, no heartbeat, no count', async () => {
    const sessionId = await create(cast.ana);
    for (const headers of [{}, { 'last-event-id': `${sessionId}:1` }]) {
      const refused = await stream(cast.ben, sessionId, headers);
      expect(refused.status).toBe(404);
      expect(refused.headers.get('content-type')).toContain('application/json');
      expect(await refused.text()).toBe(await (await stream(cast.ben, randomUUID(), headers)).text());
    }
    expect((await stream(null, sessionId)).status).toBe(401);
    const lists = dataOf<{ items: unknown[] }>(await world.call(cast.ben, 'sessions.list', {}));
    expect(lists.items).toEqual([]);
    expect(dataOf(await world.call(cast.ben, 'approvals.list', undefined))).toEqual([]);
  });

  test('security 5: no key in any place opens anything, and foreign identities in a body are errors', async () => {
    const places: Record<string, string>[] = [
      { authorization: 'Bearer os_live_0123' },
      { 'x-api-key': 'os_live_0123' },
      { cookie: 'api_key=os_live_0123' },
    ];
    for (const headers of places) expect((await world.call(null, 'sessions.list', {}, { headers })).status).toBe(401);
    const keys = await world.server.inject({
      method: 'POST',
      url: '/api/auth/api-key/create',
      headers: { host: new URL(world.origin).host, origin: world.origin, cookie: cast.ben.cookie },
      payload: { userId: cast.ana.caller.userId },
    });
    expect(keys.statusCode).toBe(404);
    const created = await world.call(
      cast.ben,
      'sessions.create',
      { userId: cast.ana.caller.userId, role: 'owner' },
      { type: 'mutation' },
    );
    expect(created.status).toBe(400);
  });

  test('security 7: a removed member loses an open stream within 5 s and everything else at once', async () => {
    const leaver = await world.join(cast.acme, 'leaver', 'member');
    const sessionId = await create(leaver);
    const response = await stream(leaver, sessionId);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('connected');
    const { organizationId, userId } = leaver.caller;
    await world.database.prisma.member.delete({ where: { organizationId_userId: { organizationId, userId } } });
    const startedAt = performance.now();
    for (let done = false; !done; ) done = (await reader?.read())?.done ?? true;
    expect(performance.now() - startedAt).toBeLessThan(5_500);
    expect((await world.call(leaver, 'sessions.get', { sessionId })).status).toBe(401);
    expect((await world.call(leaver, 'sessions.rename', { sessionId, title: 'x' }, { type: 'mutation' })).status).toBe(
      401,
    );
  });

  test('security 7: who loses the approver right loses the stream that shows what waits for approvers', async () => {
    const approver = await world.join(cast.acme, 'approver', 'member', true);
    const sessionId = await create(approver);
    const reader = (await stream(approver, sessionId)).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('connected');
    const { organizationId, userId } = approver.caller;
    await world.database.prisma.member.update({
      where: { organizationId_userId: { organizationId, userId } },
      data: { approver: false },
    });
    const startedAt = performance.now();
    for (let done = false; !done; ) done = (await reader?.read())?.done ?? true;
    expect(performance.now() - startedAt).toBeLessThan(5_500);
  });

  test('security 7: a demoted member changes nothing any more; sign-out ends the session', async () => {
    const demoted = await world.join(cast.acme, 'demoted', 'member');
    const sessionId = await create(demoted);
    const { organizationId, userId } = demoted.caller;
    await world.database.prisma.member.update({
      where: { organizationId_userId: { organizationId, userId } },
      data: { role: 'viewer' },
    });
    expect((await world.call(demoted, 'sessions.rename', { sessionId, title: 'x' }, { type: 'mutation' })).status).toBe(
      403,
    );
    expect((await world.call(demoted, 'sessions.get', { sessionId })).status).toBe(200);
    const out = await fetch(`${world.origin}/api/auth/sign-out`, {
      method: 'POST',
      headers: { cookie: demoted.cookie, origin: world.origin },
    });
    expect(out.status).toBe(200);
    expect((await world.call(demoted, 'sessions.get', { sessionId })).status).toBe(401);
  });

  test.each(["' OR 1=1 --", '"; DROP TABLE "Session"; --', '%', '_', '\\', '\\%', "\\'; --", '$1', '\u{1f600}'])(
    'security 8: searching for %j is a search',
    async (query) => {
      const sessionId = await create(cast.cho);
      await world.call(cast.cho, 'sessions.rename', { sessionId, title: `has ${query} inside` }, { type: 'mutation' });
      await create(cast.cho);
      const answer = await world.call(cast.cho, 'sessions.list', { query });
      const { items } = dataOf<{ items: { id: string; title: string }[] }>(answer);
      expect(items.map((item) => item.id)).toContain(sessionId);
      expect(items.every((item) => item.title.includes(query))).toBe(true);
    },
  );

  test.each([
    ['NUL', { query: 'a\0b' }],
    ['too long', { query: 'x'.repeat(5_000) }],
    ['a foreign cursor', { cursor: "x' OR 1=1" }],
  ])('security 8: %s is refused without a word of the database', async (_name, input) => {
    const answer = await world.call(cast.ana, 'sessions.list', input);
    expect(answer.status).toBe(400);
    expect(answer.body).not.toMatch(/sql|prisma|postgres|syntax error|stack/i);
  });

  test('security 8: a megabyte of search is refused and the server lives', async () => {
    const huge = await fetch(`${world.origin}/api/trpc/sessions.list?input=${'x'.repeat(1_000_000)}`, {
      headers: { cookie: cast.ana.cookie },
    });
    expect(huge.status).toBe(431);
    expect((await world.call(cast.ana, 'sessions.list', {})).status).toBe(200);
    const id = await world.call(cast.ana, 'sessions.get', { sessionId: `x' OR '1'='1` });
    expect(id.status).toBe(400);
  });

  const framework = {
    'x-middleware-subrequest': 'middleware:middleware:middleware',
    'x-middleware-next': '1',
    'x-nextjs-data': '1',
    rsc: '1',
    'next-action': 'abc',
    'x-forwarded-for': '127.0.0.1',
    'x-http-method-override': 'GET',
  };

  test.each(guarded)('security 9: anonymous $path is 401, framework headers or not', async ({ path, type, inputs }) => {
    const kind = type === 'mutation' ? 'mutation' : 'query';
    const input = inputs.length > 0 ? {} : undefined;
    const plain = await world.call(null, path, input, { type: kind });
    const decorated = await world.call(null, path, input, { type: kind, headers: framework });
    expect(plain.status).toBe(401);
    expect([decorated.status, decorated.body]).toEqual([plain.status, plain.body]);
  });

  test.each([
    '//api/trpc/sessions.list',
    '/api//trpc/sessions.list',
    '/api/trpc/sessions.list/',
    '/API/trpc/sessions.list',
    '/api/trpc/sessions%2elist',
    '/en/api/trpc/sessions.list',
    '/api/trpc/./sessions.list',
    '/api/trpc/../trpc/sessions.list',
    '/api/trpc/sessions.list.',
  ])('security 9: %s opens nothing', async (url) => {
    const answer = await world.server.inject({ method: 'GET', url, headers: { host: new URL(world.origin).host } });
    expect([400, 401, 404, 405]).toContain(answer.statusCode);
  });

  const strangers = [
    'https://evil.test',
    'null',
    'http://localhost.evil.test',
    'https://localhost',
    'http://localhost:1',
    'http://127.0.0.1.evil.test',
  ];

  test.each(strangers)('security 12: a page on %s changes nothing and reads nothing', async (origin) => {
    const sessionId = await create(cast.ana);
    const rename = await world.call(
      cast.ana,
      'sessions.rename',
      { sessionId, title: 'evil' },
      { type: 'mutation', headers: { origin } },
    );
    expect(rename.status).toBe(403);
    const read = await world.call(cast.ana, 'sessions.get', { sessionId }, { headers: { origin } });
    expect(read.headers['access-control-allow-origin']).toBeUndefined();
    expect(read.headers['access-control-allow-credentials']).toBeUndefined();
    const host = new URL(world.origin).host;
    const preflight = await world.server.inject({
      method: 'OPTIONS',
      url: '/api/trpc/sessions.rename',
      headers: { host, origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    const archive = await world.server.inject({
      method: 'PUT',
      url: `/api/sessions/${sessionId}/archive`,
      headers: {
        host,
        origin,
        cookie: cast.ana.cookie,
        'x-csrf-token': cast.ana.csrf,
        'content-type': 'application/x-tar',
      },
      payload: 'x',
    });
    expect(archive.statusCode).toBe(403);
    const login = await fetch(`${world.origin}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { origin, cookie: cast.ana.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@b.test', password: 'x' }),
    });
    expect(login.status).toBe(403);
  });

  test('security 12: the right origin without the token, or with that of another session, is refused', async () => {
    const sessionId = await create(cast.ana);
    const input = { sessionId, title: 'x' };
    for (const token of ['', cast.ben.csrf, `${cast.ana.csrf}x`]) {
      const answer = await world.call(cast.ana, 'sessions.rename', input, {
        type: 'mutation',
        headers: { 'x-csrf-token': token },
      });
      expect(answer.status).toBe(403);
    }
    const host = new URL(world.origin).host;
    const bare = await world.server.inject({
      method: 'POST',
      url: '/api/trpc/sessions.rename',
      headers: { host, cookie: cast.ana.cookie, 'content-type': 'application/json', 'x-csrf-token': cast.ana.csrf },
      payload: { json: input },
    });
    expect(bare.statusCode).toBe(403);
  });

  test.each(['evil.test', 'evil.test:80', 'localhost', 'localhost:1', '169.254.169.254', 'localhost.evil.test'])(
    'security 13: the host %s is misdirected everywhere',
    async (host) => {
      for (const url of [
        '/',
        '/healthz',
        '/readyz',
        '/metrics',
        '/api/trpc/me',
        '/api/auth/get-session',
        '/api/sessions/x/archive',
      ]) {
        expect((await world.server.inject({ method: 'GET', url, headers: { host } })).statusCode).toBe(421);
      }
    },
  );

  test('security 13: a full address as target is no proxy request', async () => {
    const { port } = new URL(world.origin);
    const status = await new Promise((resolve, reject) => {
      httpRequest(
        { host: '127.0.0.1', port, path: 'http://evil.test/api/trpc/me', headers: { host: `localhost:${port}` } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(400);
  });

  test('security 17: no state change by GET, override, form, plain text or batched GET', async () => {
    const sessionId = await create(cast.ana);
    const input = { sessionId, title: 'changed' };
    const { cookie, csrf } = cast.ana;
    const host = new URL(world.origin).host;
    const query = encodeURIComponent(JSON.stringify({ json: input }));
    const batch = encodeURIComponent(JSON.stringify({ 0: { json: input } }));
    const own = { host, origin: world.origin, cookie, 'x-csrf-token': csrf };
    const json = JSON.stringify({ json: input });
    const tries = [
      { method: 'GET' as const, url: `/api/trpc/sessions.rename?input=${query}`, headers: own },
      { method: 'GET' as const, url: `/api/trpc/sessions.rename?batch=1&input=${batch}`, headers: own },
      {
        method: 'GET' as const,
        url: `/api/trpc/sessions.rename?input=${query}`,
        headers: { ...own, 'x-http-method-override': 'POST' },
      },
      {
        method: 'POST' as const,
        url: '/api/trpc/sessions.rename',
        headers: { ...own, 'content-type': 'text/plain' },
        payload: json,
      },
      {
        method: 'POST' as const,
        url: '/api/trpc/sessions.rename',
        headers: { ...own, 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'a=b',
      },
      {
        method: 'POST' as const,
        url: '/api/trpc/sessions.rename',
        headers: { ...own, 'content-type': 'multipart/form-data; boundary=x' },
        payload: '--x--',
      },
      {
        method: 'PUT' as const,
        url: '/api/trpc/sessions.rename',
        headers: { ...own, 'content-type': 'application/json' },
        payload: json,
      },
    ];
    for (const one of tries) {
      const { statusCode } = await world.server.inject(one);
      expect([403, 404, 405, 415]).toContain(statusCode);
    }
    expect(dataOf(await world.call(cast.ana, 'sessions.get', { sessionId }))).toMatchObject({ title: 'New session' });
  });

  const extra = {
    organizationId: 'bolt',
    orgId: 'bolt',
    role: 'owner',
    approvedBy: 'ana',
    ownerId: 'eve',
    policyVersion: 9,
  };

  test.each(procedures.filter(({ inputs }) => inputs.length > 0))(
    'security 18: $path rejects unknown keys',
    async ({ path, type, inputs }) => {
      for (const input of inputs) {
        if (input instanceof z.ZodType)
          expect(looseObjects(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }))).toEqual([]);
      }
      const kind = type === 'mutation' ? 'mutation' : 'query';
      if (type === 'subscription') return;
      const answer = await world.call(cast.ana, path, extra, { type: kind });
      expect(answer.status).toBe(400);
      // A union cannot say which key of which form was too much.
      expect(answer.body).toMatch(/Unrecognized key|Invalid input/);
    },
  );

  test('security 18: roles are needed: a viewer changes nothing, a member administers nothing', async () => {
    const provider = { name: 'p', baseUrl: 'http://model.test', models: ['m'], dialect: 'openai-chat' };
    expect((await world.call(cast.dev, 'sessions.create', {}, { type: 'mutation' })).status).toBe(403);
    expect((await world.call(cast.ben, 'models.addProvider', provider, { type: 'mutation' })).status).toBe(403);
    expect((await world.call(cast.cho, 'models.setDefault', { modelId: 'tour' }, { type: 'mutation' })).status).toBe(
      403,
    );
  });

  test('security 1: probes and metrics name no version, and metrics are for this machine', async () => {
    const host = new URL(world.origin).host;
    const ask = (url: string, headers = {}, remoteAddress = '127.0.0.1') =>
      world.server.inject({ url, headers: { host, ...headers }, remoteAddress });
    const metrics = await ask('/metrics');
    expect(metrics.body).toContain('oneslot_http_request_duration_seconds');
    for (const body of [metrics.body, (await ask('/healthz')).body, (await ask('/readyz')).body])
      expect(body).not.toMatch(/v?2[0-9]\.[0-9]+\.[0-9]+|version/i);
    expect((await ask('/metrics', {}, '203.0.113.5')).statusCode).toBe(404);
    expect((await ask('/metrics', { 'x-forwarded-for': '203.0.113.5' })).statusCode).toBe(404);
  });
});

/** Paths of objects that take keys nobody named; records of free keys are meant and carry a schema for them. */
function looseObjects(schema: unknown, path = '$'): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isLoose = 'properties' in schema && Reflect.get(schema, 'additionalProperties') !== false;
  const below = Object.entries(schema).flatMap(([key, value]) => looseObjects(value, `${path}.${key}`));
  return isLoose ? [path, ...below] : below;
}

describe('first claim', () => {
  const owner = {
    name: 'Ana',
    email: 'Ana@Acme.test',
    password: 'correct horse battery',
    organizationName: 'Acme Ltd',
  };

  test('security 19: of two browsers with the printed link one wins; a guess and a late claim fail', async () => {
    const world = await openApiWorld();
    const claim = (token: string, email = owner.email) =>
      world.call(null, 'setup.claim', { ...owner, email, token }, { type: 'mutation' });
    const old = (await world.setup.issue()) ?? '';
    const token = (await world.setup.issue()) ?? '';
    expect((await claim('guess')).status).toBe(403);
    expect((await claim(old)).status).toBe(403);
    expect(dataOf(await world.call(null, 'setup.status', undefined))).toEqual({ needed: true });
    const both = await Promise.all([claim(token), claim(token, 'eve@evil.test')]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 403]);
    expect(await world.database.prisma.user.count()).toBe(1);
    expect((await claim(token)).status).toBe(403);
    expect(await world.setup.issue()).toBeNull();
    expect(dataOf(await world.call(null, 'setup.status', undefined))).toEqual({ needed: false });
    const won = both.find((answer) => answer.status === 200);
    const cookie = String(won?.headers['set-cookie']).split(';', 1)[0] ?? '';
    expect(String(won?.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Lax/);
    const me = await world.call(null, 'me', undefined, { headers: { cookie } });
    expect(dataOf(me)).toMatchObject({ role: 'owner', organization: { name: 'Acme Ltd', slug: 'acme-ltd' } });
    const signUp = await fetch(`${world.origin}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { origin: world.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'x@evil.test', password: 'correct horse', name: 'x' }),
    });
    expect(signUp.status).toBe(404);
    expect(world.problems).toEqual([]);
    await world.close();
  });
});
