import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { appRouter } from '../src/router.ts';
import { type ApiWorld, type Cast, castPeople, openApiWorld, type Person } from './lib/api-world.ts';
import { approvalRequest, seedSession } from './seed.ts';

// Over the whole router: every field that names a row is sent once with a row of somebody else and once with none,
// and the two answers must be equal to the byte. A procedure with an id that is not in the table fails the suite.

type Ids = Record<'session' | 'approval' | 'grant' | 'envelope' | 'message' | 'provider' | 'model', string>;
type Trial = { field: string; input(ids: Ids, own: Ids): unknown };

const unknown: Ids = {
  session: '01a22976-0000-7000-8000-000000000000',
  approval: '01a22976-0000-7000-8000-000000000001',
  envelope: 'out_000000000000000000000000',
  message: '01a22976-0000-7000-8000-000000000002',
  provider: '01a22976-0000-7000-8000-000000000003',
  model: '01a22976-0000-7000-8000-000000000004',
  grant: '01a22976-0000-7000-8000-000000000005',
};

const bySession = (rest: object = {}): Trial => ({
  field: 'sessionId',
  input: ({ session }) => ({ sessionId: session, ...rest }),
});
const answers = [{ id: 'q', labels: [], freeText: 'x' }];
const trials: Record<string, Trial[]> = {
  'sessions.create': [{ field: 'modelId', input: ({ model }) => ({ modelId: model }) }],
  'sessions.get': [bySession()],
  'sessions.rename': [bySession({ title: 'mine now' })],
  'sessions.setMode': [bySession({ mode: 'autopilot' })],
  'sessions.setModel': [
    bySession({ modelId: 'tour' }),
    { field: 'modelId', input: ({ model }, { session }) => ({ sessionId: session, modelId: model }) },
  ],
  'sessions.remove': [bySession()],
  'sessions.send': [bySession({ text: 'hi', messageId: 'm-of-eve' })],
  'sessions.dropBlock': [bySession({ seq: 1 })],
  'sessions.stop': [bySession()],
  'sessions.unqueue': [
    bySession({ messageId: 'm1' }),
    { field: 'messageId', input: ({ message }, { session }) => ({ sessionId: session, messageId: message }) },
  ],
  'sessions.history': [bySession({ fromSeq: 1, limit: 10 })],
  events: [
    bySession(),
    { field: 'sessionId', input: ({ session }) => ({ sessionId: session, lastEventId: `${session}:1` }) },
  ],
  'approvals.decide': [
    {
      field: 'approvalId',
      input: ({ approval }) => ({ approvalId: approval, digest: 'digest-c1', decision: 'approve_once' }),
    },
  ],
  'approvals.grants': [bySession()],
  'approvals.revoke': [
    bySession({ grantId: 'g1' }),
    { field: 'grantId', input: ({ grant }, { session }) => ({ sessionId: session, grantId: grant }) },
  ],
  'questions.answer': [
    bySession({ callId: 'c1', answers }),
    { field: 'callId', input: (_ids, { session }) => ({ sessionId: session, callId: 'c1', answers }) },
  ],
  'envelopes.read': [
    bySession({ ref: 'out_1', start: 0, end: 10 }),
    { field: 'ref', input: ({ envelope }, { session }) => ({ sessionId: session, ref: envelope, start: 0, end: 10 }) },
  ],
  'envelopes.setHold': [bySession({ hold: true })],
  'files.list': [bySession({ path: '.' })],
  'files.read': [bySession({ path: 'a' })],
  'models.removeProvider': [{ field: 'providerId', input: ({ provider }) => ({ providerId: provider }) }],
  'models.test': [{ field: 'modelId', input: ({ model }) => ({ modelId: model }) }],
  'models.setCheap': [{ field: 'modelId', input: ({ model }) => ({ modelId: model }) }],
  'models.setDefault': [{ field: 'modelId', input: ({ model }) => ({ modelId: model }) }],
};

/** Fields that look like ids and lead to no row. */
const exempt = new Set([
  'sessions.send messageId', // made by the client, stored under the session it was sent to
  'events lastEventId', // a cursor; the session it belongs to is checked
]);
const definition = z.object({ type: z.string(), inputs: z.array(z.unknown()).default([]) });
const idLike = /^(id|ref|cursor)$|(Id|Ref)$/;

function idFields(path: string): string[] {
  const fields = new Set<string>();
  for (const input of definitionOf(path).inputs) {
    if (input instanceof z.ZodType) collect(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), fields);
  }
  return [...fields];
}

/** Top level only: what lies deeper names options of a question or fields of a tool, never rows. */
function collect(schema: unknown, fields: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  if ('properties' in schema && typeof schema.properties === 'object') {
    for (const name of Object.keys(schema.properties ?? {})) if (idLike.test(name)) fields.add(name);
  }
  for (const key of ['anyOf', 'allOf', 'oneOf']) {
    const parts: unknown = key in schema ? Reflect.get(schema, key) : null;
    if (Array.isArray(parts)) for (const part of parts) collect(part, fields);
  }
}

const paths = Object.keys(appRouter._def.procedures);

describe('ids of others', () => {
  let world: ApiWorld;
  let cast: Cast;
  let ofAna: Ids;

  async function fill(person: Person): Promise<Ids> {
    const { stores } = world;
    const { caller } = person;
    const { organizationId, userId } = caller;
    const session = await seedSession(stores, caller);
    await world.log.append(session, [{ kind: 'session-created', title: 'Session', mode: 'agent', modelId: null }]);
    const approval = await stores.approvals.openApproval({
      organizationId,
      sessionId: session,
      requestedById: userId,
      request: approvalRequest('c1'),
      deadline: new Date(Date.now() + 3_600_000),
    });
    const meta = { callId: 'c1', tool: 't', origin: 'o', untrusted: false, cutOffset: null };
    const envelope = await stores.envelopes.openEnvelope({ organizationId, sessionId: session }, meta);
    await stores.envelopes.appendChunk({
      ref: envelope,
      organizationId,
      index: 0,
      offset: 0,
      bytes: Buffer.from('secret'),
    });
    await stores.envelopes.finishEnvelope(session, envelope, {
      bytes: 6,
      storedBytes: 6,
      lines: 1,
      sha256: 'x',
      cutOffset: null,
    });
    const message = `m-${session}`;
    await stores.messages.queueMessage({
      sessionId: session,
      organizationId,
      messageId: message,
      text: 'queued',
      by: userId,
    });
    const provider = await stores.models.addProvider({
      organizationId,
      name: `p-${session}`,
      baseUrl: 'http://model.test',
      apiKey: 'k',
      models: ['m'],
      dialect: 'openai-chat',
    });
    const model = (await stores.models.listModels(organizationId)).find((row) => row.providerId === provider)?.id ?? '';
    const answer = { kind: 'grant' as const, fingerprint: 'f', words: 'w', reason: null, grantedById: userId };
    await stores.grants.addGrant({ organizationId, sessionId: session, ...answer, expiresAt: null });
    const grant = (await stores.grants.listGrants(session, new Date()))[0]?.id ?? '';
    return { session, approval: approval.id, grant, envelope, message, provider, model };
  }

  beforeAll(async () => {
    world = await openApiWorld();
    cast = await castPeople(world);
    ofAna = await fill(cast.ana);
    // The question lies with ana only, so that eve's own session has no such call either.
    await world.stores.questions.openQuestion({
      sessionId: ofAna.session,
      organizationId: cast.acme,
      callId: 'c1',
      questions: [],
    });
  });
  afterAll(() => world.close());

  test.each(paths)('%s: every id-like field is in the table', (path) => {
    const covered = new Set((trials[path] ?? []).map((trial) => trial.field));
    const missing = idFields(path).filter(
      (field) => !covered.has(field) && !exempt.has(`${path} ${field}`) && field !== 'cursor',
    );
    expect(missing).toEqual([]);
  });

  test('the table names no procedure that is gone', () => {
    expect(Object.keys(trials).filter((path) => !paths.includes(path))).toEqual([]);
  });

  const rows = Object.entries(trials).flatMap(([path, list]) =>
    list.map((trial, index) => ({ path, index, ...trial })),
  );

  test.each(rows)('security 2: eve of another organization, $path by $field ($index)', async ({ path, input }) => {
    await expectSilence(cast.eve, path, input);
  });

  // Models and providers belong to the organization, so a colleague may know them; sessions are their owner's.
  // What only administrators may do is refused to ben before any id is looked at.
  const ofSessions = rows.filter(
    (row) => !['modelId', 'providerId'].includes(row.field) && row.path !== 'envelopes.setHold',
  );
  test.each(ofSessions)(
    'security 2: ben, a colleague who was not invited, $path by $field ($index)',
    async ({ path, input }) => {
      await expectSilence(cast.ben, path, input);
    },
  );

  test('security 2: nothing was written meanwhile', async () => {
    expect(await world.log.lastSeq(ofAna.session)).toBe(1);
    const state = await world.stores.sessions.getSession(cast.ana.caller, ofAna.session);
    expect(state).toMatchObject({ title: 'Session', mode: 'agent', pendingApprovals: 1, queued: [{ text: 'queued' }] });
    expect(await world.stores.models.listModels(cast.acme)).toHaveLength(1);
    expect(await world.stores.grants.listGrants(ofAna.session, new Date())).toHaveLength(1);
    expect(world.asked.filter((line) => line.includes(ofAna.session))).toEqual([]);
    expect(world.problems).toEqual([]);
  });

  async function expectSilence(person: Person, path: string, input: Trial['input']): Promise<void> {
    const own = { ...unknown, session: await seedSession(world.stores, person.caller) };
    const type = definitionOf(path).type === 'mutation' ? 'mutation' : 'query';
    const foreign = await world.call(person, path, input(ofAna, own), { type });
    const none = await world.call(person, path, input(unknown, own), { type });
    expect(foreign.status).toBe(404);
    expect({ status: foreign.status, body: foreign.body }).toEqual({ status: none.status, body: none.body });
    expect(foreign.headers['content-type']).toBe(none.headers['content-type']);
  }
});

function definitionOf(path: string): { type: string; inputs: unknown[] } {
  return definition.parse(Reflect.get(Reflect.get(appRouter._def.procedures, path), '_def'));
}
