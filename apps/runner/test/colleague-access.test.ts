import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { appRouter } from '../src/router.ts';
import type { PendingApproval } from '../src/store/contract.ts';
import { type ApiWorld, type Cast, castPeople, dataOf, openApiWorld, type Person } from './lib/api-world.ts';
import { approvalRequest } from './seed.ts';

// Inside one organization: who may do what with a session that is somebody else's, seen by its owner alone or by all.
// A procedure that takes a session and stands in no row fails the suite.

type Ids = { session: string; approval: string; output: string; grant: string };
type Visibility = 'private' | 'organization';
/** fay owns the session; ana owns the organization, cho has the approver right, ben is a member, dev a viewer. */
type Status = Record<'fay' | 'ana' | 'cho' | 'ben' | 'dev', number>;
type Row = { path: string; type: 'query' | 'mutation'; input(ids: Ids): unknown } & Record<Visibility, Status>;

const reading = {
  private: { fay: 200, ana: 404, cho: 404, ben: 404, dev: 404 },
  organization: { fay: 200, ana: 200, cho: 200, ben: 200, dev: 200 },
};
const changing = {
  private: { fay: 200, ana: 404, cho: 404, ben: 404, dev: 403 },
  organization: { fay: 200, ana: 200, cho: 200, ben: 403, dev: 403 },
};
const sending = { ...changing, organization: { ...changing.organization, ben: 200 } };
const removing = { ...changing, organization: { ...changing.organization, cho: 403 } };
/** What is asked is answered by who may answer, whether or not they may open the session around it. */
const answering = { fay: 200, ana: 200, cho: 200, ben: 404, dev: 403 };
const answers = [{ id: 'q', labels: [], freeText: 'x' }];

const read = (path: string, rest: object | ((ids: Ids) => object) = {}): Row => row('query', path, rest, reading);
const change = (path: string, rest: object | ((ids: Ids) => object) = {}, status = changing): Row =>
  row('mutation', path, rest, status);

const rows: Row[] = [
  read('sessions.get'),
  read('sessions.history', { fromSeq: 1, limit: 10 }),
  read('events'),
  read('files.list', { path: '.' }),
  read('files.read', { path: 'a' }),
  read('envelopes.read', ({ output }) => ({ ref: output, start: 0, end: 1 })),
  change('sessions.rename', { title: 'mine now' }),
  change('sessions.setMode', { mode: 'autopilot' }),
  change('sessions.setModel', { modelId: 'tour' }),
  change('sessions.stop'),
  change('sessions.dropBlock', { seq: 2 }),
  change('sessions.unqueue', { messageId: 'm-of-fay' }),
  row('query', 'approvals.grants', {}, changing),
  change('approvals.revoke', ({ grant }) => ({ grantId: grant })),
  change('questions.answer', { callId: 'c1', answers }),
  change('sessions.send', { text: 'hi', messageId: 'm-of-another' }, sending),
  change('sessions.remove', {}, removing),
  {
    ...change('approvals.decide', {}, { private: answering, organization: answering }),
    input: ({ approval }) => ({ approvalId: approval, digest: 'digest-c1', decision: 'approve_once' }),
  },
];
/** Only administrators reach these at all, whosever the session is. */
const ofAdministrators = new Set(['envelopes.setHold']);

function row(
  type: Row['type'],
  path: string,
  rest: object | ((ids: Ids) => object),
  status: Record<Visibility, Status>,
): Row {
  const more = typeof rest === 'function' ? rest : () => rest;
  return { path, type, ...status, input: (ids) => ({ sessionId: ids.session, ...more(ids) }) };
}

const cells = rows.flatMap((one) =>
  (['private', 'organization'] as const).flatMap((visibility) =>
    (['fay', 'ana', 'cho', 'ben', 'dev'] as const).map((who) => ({
      ...one,
      visibility,
      who,
      status: one[visibility][who],
    })),
  ),
);

describe('a session of somebody else', () => {
  let world: ApiWorld;
  let cast: Cast & { fay: Person };

  beforeAll(async () => {
    world = await openApiWorld();
    const people = await castPeople(world);
    cast = { ...people, fay: await world.join(people.acme, 'fay', 'member') };
  });
  afterAll(() => world.close());

  async function open(visibility: Visibility): Promise<Ids> {
    const { stores } = world;
    const { caller } = cast.fay;
    const { organizationId, userId } = caller;
    const row = { title: 'Of fay', mode: 'agent' as const, modelId: null };
    const session = await stores.sessions.createSession({ caller, ...row, visibility });
    await world.log.append(session, [
      { kind: 'session-created', ...row },
      { kind: 'request-rejected', step: 1, reason: 'an image', block: { kind: 'message', place: 0 } },
    ]);
    const owner = { sessionId: session, organizationId };
    await stores.messages.queueMessage({ ...owner, messageId: 'm-of-fay', text: 'queued', by: userId });
    await stores.questions.openQuestion({ ...owner, callId: 'c1', questions: [] });
    const request = approvalRequest('c1');
    const deadline = new Date(Date.now() + 3_600_000);
    const asked = await stores.approvals.openApproval({ ...owner, requestedById: userId, request, deadline });
    const meta = { callId: 'c1', tool: 't', origin: 'o', untrusted: false, cutOffset: null };
    const output = await stores.envelopes.openEnvelope(owner, meta);
    await stores.envelopes.appendChunk({ ref: output, organizationId, index: 0, offset: 0, bytes: Buffer.from('x') });
    const sums = { bytes: 1, storedBytes: 1, lines: 1, sha256: 'x', cutOffset: null };
    await stores.envelopes.finishEnvelope(session, output, sums);
    const kept = { kind: 'grant' as const, fingerprint: 'f', words: 'ls', reason: null, grantedById: userId };
    await stores.grants.addGrant({ organizationId, sessionId: session, ...kept, expiresAt: null });
    const grant = (await stores.grants.listGrants(session, new Date()))[0]?.id ?? '';
    return { session, approval: asked.id, output, grant };
  }

  test.each(cells)('$path of a session that is $visibility: $who gets $status', async (cell) => {
    const person = cast[cell.who];
    const ids = await open(cell.visibility);
    const answer = await ask(person, cell, ids);
    expect([answer.status, answer.body]).toEqual([cell.status, expect.anything()]);
    if (cell.type === 'query' || answer.status === 200) return;
    const now = await world.stores.sessions.getSession(cast.fay.caller, ids.session);
    expect(now).toMatchObject({ title: 'Of fay', mode: 'agent', pendingApprovals: 1, queued: [{ text: 'queued' }] });
  });

  const archives = cells.filter(({ path }) => path === 'sessions.rename' || path === 'sessions.get');
  test.each(archives)('the archive by $type, $visibility: $who gets $status', async ({ type, ...cell }) => {
    const { session } = await open(cell.visibility);
    const { cookie, csrf } = cast[cell.who];
    const headers = { host: new URL(world.origin).host, cookie };
    const own = { origin: world.origin, 'x-csrf-token': csrf, 'content-type': 'application/x-tar' };
    const url = `/api/sessions/${session}/archive`;
    const put = { method: 'PUT', url, headers: { ...headers, ...own }, payload: 'tar' } as const;
    const answer = await world.server.inject(type === 'query' ? { method: 'GET', url, headers } : put);
    // A route of its own knows no viewers before it knows the session.
    const status = type === 'mutation' && cell.visibility === 'private' && cell.who === 'dev' ? 404 : cell.status;
    expect(answer.statusCode).toBe(status);
    if (type === 'mutation') expect(world.asked.includes(`import ${session} 3`)).toBe(status === 200);
  });

  test('the page is told by the same rule what it may offer', async () => {
    const { session: sessionId } = await open('organization');
    const told = async (person: Person) =>
      dataOf<{ mayChange: boolean }>(await world.call(person, 'sessions.get', { sessionId })).mayChange;
    const { organization } = changing;
    for (const who of ['fay', 'ana', 'cho', 'ben', 'dev'] as const) {
      expect([who, await told(cast[who])]).toEqual([who, organization[who] === 200]);
    }
  });

  test('a colleague takes back what they sent, and nothing else', async () => {
    const { session } = await open('organization');
    const sent = { sessionId: session, text: 'oops', messageId: randomUUID() };
    const mutation = { type: 'mutation' } as const;
    await world.call(cast.ben, 'sessions.send', sent, mutation);
    const { sessionId, messageId } = sent;
    expect((await world.call(cast.ben, 'sessions.unqueue', { sessionId, messageId }, mutation)).status).toBe(200);
    expect((await world.stores.messages.listQueued(session)).map((one) => one.text)).toEqual(['queued']);
  });

  test.each([
    ['private', null],
    ['organization', 'Of fay'],
  ] as const)('the inbox names a session that is %s only to who may open it', async (visibility, title) => {
    const { approval } = await open(visibility);
    const listed = async (person: Person) => {
      const items = dataOf<PendingApproval[]>(await world.call(person, 'approvals.list', undefined));
      return items.find((one) => one.id === approval);
    };
    expect(await listed(cast.fay)).toMatchObject({ sessionTitle: 'Of fay' });
    for (const person of [cast.ana, cast.cho]) {
      expect(await listed(person)).toMatchObject({ sessionTitle: title, canonicalText: '{"command":"ls"}' });
    }
    for (const person of [cast.ben, cast.dev]) expect(await listed(person)).toBeUndefined();
  });

  test('a change of mode leaves a trace of who made it', async () => {
    const { session } = await open('organization');
    const wanted = { sessionId: session, mode: 'autopilot' };
    await world.call(cast.cho, 'sessions.setMode', wanted, { type: 'mutation' });
    const { actorId, action, detail } = await world.database.prisma.auditEvent.findFirstOrThrow({
      where: { target: session },
    });
    expect({ actorId, action, detail }).toEqual({
      actorId: cast.cho.caller.userId,
      action: 'session.mode',
      detail: { from: 'agent', to: 'autopilot' },
    });
  });

  test('every procedure that takes a session stands in the table', () => {
    const listed = new Set(rows.map(({ path }) => path));
    const taking = Object.keys(appRouter._def.procedures).filter(takesSession);
    expect(taking.filter((path) => !listed.has(path) && !ofAdministrators.has(path))).toEqual([]);
  });

  async function ask(person: Person, { path, type, input }: Row, ids: Ids): Promise<{ status: number; body: string }> {
    if (path !== 'events') return world.call(person, path, input(ids), { type });
    const hangUp = new AbortController();
    const query = encodeURIComponent(JSON.stringify({ json: input(ids) }));
    const stream = await fetch(`${world.origin}/api/trpc/${path}?input=${query}`, {
      headers: { cookie: person.cookie },
      signal: hangUp.signal,
    });
    hangUp.abort();
    return { status: stream.status, body: '' };
  }
});

const definition = z.object({ inputs: z.array(z.unknown()).default([]) });

function takesSession(path: string): boolean {
  const { inputs } = definition.parse(Reflect.get(Reflect.get(appRouter._def.procedures, path), '_def'));
  return inputs.some((one) => {
    if (!(one instanceof z.ZodType)) return false;
    return JSON.stringify(z.toJSONSchema(one, { io: 'input', unrepresentable: 'any' })).includes('"sessionId"');
  });
}
