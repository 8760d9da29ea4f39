import type { StoredEvent } from '@oneslot/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiWorld, type Cast, castPeople, dataOf, openApiWorld, type Person } from './lib/api-world.ts';
import { approvalRequest } from './seed.ts';

describe('the API', () => {
  let world: ApiWorld;
  let cast: Cast;

  beforeAll(async () => {
    world = await openApiWorld();
    cast = await castPeople(world);
  });
  afterAll(() => world.close());

  const mutate = (person: Person, path: string, input: unknown) =>
    world.call(person, path, input, { type: 'mutation' });
  const create = async (person: Person) => dataOf<{ id: string }>(await mutate(person, 'sessions.create', {})).id;
  const history = async (sessionId: string) =>
    dataOf<{ events: StoredEvent[]; lastSeq: number }>(
      await world.call(cast.ana, 'sessions.history', { sessionId, fromSeq: 1, limit: 2_000 }),
    );
  const openApproval = (sessionId: string, callId: string, openMs = 3_600_000) =>
    world.stores.approvals.openApproval({
      organizationId: cast.acme,
      sessionId,
      requestedById: cast.ana.caller.userId,
      request: approvalRequest(callId),
      deadline: new Date(Date.now() + openMs),
    });

  test('a message is stored once however often it is sent, names the session and wakes it', async () => {
    const sessionId = await create(cast.ana);
    const message = { sessionId, text: 'Fix the cart.\nPlease.', messageId: 'm-1' };
    await Promise.all([1, 2, 3].map(() => mutate(cast.ana, 'sessions.send', message)));
    const { events, lastSeq } = await history(sessionId);
    expect(events.map(({ event }) => event.kind)).toEqual(['session-created', 'session-changed', 'message-queued']);
    expect(lastSeq).toBe(3);
    const session = dataOf<{ title: string; queued: unknown[] }>(
      await world.call(cast.ana, 'sessions.get', { sessionId }),
    );
    expect(session).toMatchObject({ title: 'Fix the cart.', queued: [{ messageId: 'm-1' }], sandbox: null, todos: [] });
    expect(world.asked).toContain(`wake ${sessionId}`);
    expect((await mutate(cast.ana, 'sessions.unqueue', { sessionId, messageId: 'm-1' })).status).toBe(200);
    expect(await world.stores.messages.listQueued(sessionId)).toEqual([]);
  });

  test('a message of more than an event holds is refused with the way out', async () => {
    const sessionId = await create(cast.ana);
    const answer = await mutate(cast.ana, 'sessions.send', {
      sessionId,
      text: '\u{1f600}'.repeat(20_000),
      messageId: 'm',
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toContain('Put longer text into a file');
  });

  test('50 browsers answer one approval: one transition, one event, the others read why', async () => {
    const sessionId = await create(cast.ana);
    const { id: approvalId, digest } = await openApproval(sessionId, 'c1');
    const tries = Array.from({ length: 50 }, (_, i) =>
      mutate(i % 2 ? cast.ana : cast.cho, 'approvals.decide', {
        approvalId,
        digest,
        decision: i % 3 ? 'deny' : 'approve_once',
        reason: 'because',
      }),
    );
    const answers = await Promise.all(tries);
    expect(answers.filter((one) => one.status === 200)).toHaveLength(1);
    const late = answers.filter((one) => one.status !== 200);
    expect(late.every((one) => one.status === 409 && /already (approved|denied)/.test(one.body))).toBe(true);
    const decided = (await history(sessionId)).events.filter(({ event }) => event.kind === 'approval-decided');
    expect(decided).toHaveLength(1);
    expect(await world.database.prisma.auditEvent.count({ where: { target: approvalId } })).toBe(1);
  });

  test('an answer after the deadline is refused, even before anything has swept', async () => {
    const sessionId = await create(cast.ana);
    const { id: approvalId, digest } = await openApproval(sessionId, 'late', 60_000);
    world.clock.aheadMs = 60_001;
    const late = await mutate(cast.ana, 'approvals.decide', { approvalId, digest, decision: 'approve_once' });
    world.clock.aheadMs = 0;
    expect([late.status, late.body]).toEqual([409, expect.stringContaining('deadline of this approval has passed')]);
    expect((await world.stores.approvals.findApproval(sessionId, 'late'))?.state).toBe('pending');
  });

  test('an answer to other bytes than those shown is refused', async () => {
    const sessionId = await create(cast.ana);
    const { id: approvalId } = await openApproval(sessionId, 'c1');
    const answer = await mutate(cast.ana, 'approvals.decide', {
      approvalId,
      digest: 'another',
      decision: 'approve_once',
    });
    expect([answer.status, answer.body]).toEqual([409, expect.stringContaining('Look at the card again')]);
    expect((await world.stores.approvals.findApproval(sessionId, 'c1'))?.state).toBe('pending');
  });

  test('the inbox shows the exact bytes to who may answer', async () => {
    const sessionId = await create(cast.ana);
    const { id } = await openApproval(sessionId, 'inbox');
    const inbox = dataOf<{ id: string }[]>(await world.call(cast.cho, 'approvals.list', undefined));
    expect(inbox.find((one) => one.id === id)).toMatchObject({
      sessionId,
      canonicalText: '{"command":"ls"}',
      scopeWords: 'ls with any arguments',
      requestedBy: { name: 'ana' },
    });
    expect(dataOf<{ id: string }[]>(await world.call(cast.dev, 'approvals.list', undefined))).toEqual([]);
  });

  test('an output is read in parts', async () => {
    const sessionId = await create(cast.ana);
    const { envelopes } = world.stores;
    const ref = await envelopes.openEnvelope(
      { organizationId: cast.acme, sessionId },
      { callId: 'c', tool: 't', origin: 'o', untrusted: false, cutOffset: null },
    );
    await envelopes.appendChunk({
      ref,
      organizationId: cast.acme,
      index: 0,
      offset: 0,
      bytes: Buffer.from('0123456789'),
    });
    await envelopes.finishEnvelope(sessionId, ref, {
      bytes: 10,
      storedBytes: 10,
      lines: 1,
      sha256: 'sum',
      cutOffset: null,
    });
    const part = await world.call(cast.ana, 'envelopes.read', { sessionId, ref, start: 2, end: 5 });
    expect(dataOf(part)).toEqual({ text: '234', start: 2, end: 5, bytes: 10, sha256: 'sum', complete: false });
    const tooMuch = await world.call(cast.ana, 'envelopes.read', { sessionId, ref, start: 0, end: 1_000_000 });
    expect(tooMuch.status).toBe(400);
  });

  test('a window that cuts a character ends before it, and the next one begins with it', async () => {
    const sessionId = await create(cast.ana);
    const { envelopes } = world.stores;
    const meta = { callId: 'c', tool: 't', origin: 'o', untrusted: false, cutOffset: null };
    const ref = await envelopes.openEnvelope({ organizationId: cast.acme, sessionId }, meta);
    const bytes = Buffer.from('a漢字😀');
    await envelopes.appendChunk({ ref, organizationId: cast.acme, index: 0, offset: 0, bytes });
    const sums = { bytes: bytes.length, storedBytes: bytes.length, lines: 1, sha256: 'sum', cutOffset: null };
    await envelopes.finishEnvelope(sessionId, ref, sums);
    const texts: string[] = [];
    for (let start = 0, complete = false; !complete; ) {
      const window = { sessionId, ref, start, end: start + 5 };
      const part = dataOf<{ text: string; end: number; complete: boolean }>(
        await world.call(cast.ana, 'envelopes.read', window),
      );
      texts.push(part.text);
      ({ end: start, complete } = part);
    }
    expect(texts).toEqual(['a漢', '字', '😀']);
  });

  test('the archive goes in and out as a stream', async () => {
    const sessionId = await create(cast.ana);
    const url = `${world.origin}/api/sessions/${sessionId}/archive`;
    const headers = {
      cookie: cast.ana.cookie,
      origin: world.origin,
      'x-csrf-token': cast.ana.csrf,
      'content-type': 'application/x-tar',
    };
    const put = await fetch(url, { method: 'PUT', headers, body: Buffer.alloc(3_000_000) });
    expect(put.status).toBe(200);
    expect(world.asked).toContain(`import ${sessionId} 3000000`);
    const get = await fetch(url, { headers: { cookie: cast.ana.cookie } });
    expect([get.headers.get('content-type'), await get.text()]).toEqual(['application/x-tar', 'tar']);
    const { 'x-csrf-token': _token, ...without } = headers;
    expect((await fetch(url, { method: 'PUT', headers: without, body: 'x' })).status).toBe(403);
    const { cookie: _cookie, ...anonymous } = headers;
    expect((await fetch(url, { method: 'PUT', headers: anonymous, body: 'x' })).status).toBe(401);
  });

  test('removing a session removes its sandbox first and leaves a trace', async () => {
    const sessionId = await create(cast.ana);
    expect((await mutate(cast.ana, 'sessions.remove', { sessionId })).status).toBe(200);
    expect(world.asked.filter((line) => line.endsWith(sessionId))).toEqual([
      `stop ${sessionId}`,
      `remove ${sessionId}`,
    ]);
    expect((await world.call(cast.ana, 'sessions.get', { sessionId })).status).toBe(404);
    expect(
      await world.database.prisma.auditEvent.count({ where: { target: sessionId, action: 'session.remove' } }),
    ).toBe(1);
  });

  describe('the stream', () => {
    type Item = {
      id: string | null;
      data: { json: { kind: string; stored?: StoredEvent; sessions?: { id: string; title: string }[] } };
    };

    /** Reads items until `enough` of them, then hangs up. */
    async function follow(
      sessionId: string,
      enough: (items: Item[]) => boolean,
      cursor: { input?: string; header?: string } = {},
    ): Promise<Item[]> {
      const hangUp = new AbortController();
      const input = JSON.stringify({ json: { sessionId, lastEventId: cursor.input ?? null } });
      const response = await fetch(`${world.origin}/api/trpc/events?input=${encodeURIComponent(input)}`, {
        headers: { cookie: cast.ana.cookie, ...(cursor.header && { 'last-event-id': cursor.header }) },
        signal: hangUp.signal,
      });
      const items: Item[] = [];
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        items.push(...blocks.flatMap(parse));
        if (enough(items)) break;
      }
      hangUp.abort();
      return items;
    }

    function parse(block: string): Item[] {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const data = field('data');
      // Heartbeats and the greeting are events with a name.
      if (field('event') || !data) return [];
      return [{ id: field('id') ?? null, data: JSON.parse(data) }];
    }

    const seqs = (items: Item[]) => items.flatMap((item) => (item.data.json.stored ? [item.data.json.stored.seq] : []));
    const notice = (text: string) => ({ kind: 'notice-added' as const, level: 'info' as const, text, next: null });

    test('lists come first and without id; events carry theirs; live ones follow the stored', async () => {
      const sessionId = await create(cast.ana);
      const following = follow(sessionId, (items) => seqs(items).length >= 30);
      for (let index = 0; index < 29; index += 1) await world.log.append(sessionId, [notice(String(index))]);
      const items = await following;
      expect(items[0]?.id).toBeNull();
      expect(items[0]?.data.json.sessions?.some((one) => one.id === sessionId)).toBe(true);
      expect(seqs(items)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
      expect(items.find((item) => item.data.json.stored?.seq === 7)?.id).toBe(`${sessionId}:7`);
    });

    test('a reconnect goes on behind its cursor, by header or by input; the header wins', async () => {
      const sessionId = await create(cast.ana);
      await world.log.append(sessionId, ['a', 'b', 'c', 'd'].map(notice));
      const until5 = (items: Item[]) => seqs(items).includes(5);
      expect(seqs(await follow(sessionId, until5, { header: `${sessionId}:2` }))).toEqual([3, 4, 5]);
      expect(seqs(await follow(sessionId, until5, { input: `${sessionId}:3` }))).toEqual([4, 5]);
      expect(seqs(await follow(sessionId, until5, { input: `${sessionId}:1`, header: `${sessionId}:4` }))).toEqual([5]);
      expect(seqs(await follow(sessionId, until5, { header: 'another:4' }))).toEqual([1, 2, 3, 4, 5]);
    });

    test('a list is sent again when it changes, not with every delta', async () => {
      const sessionId = await create(cast.ana);
      const snapshots = (items: Item[]) => items.filter((item) => item.data.json.kind === 'snapshot');
      const renamed = (items: Item[]) =>
        snapshots(items).some((item) => item.data.json.sessions?.some((one) => one.title === 'Renamed'));
      const following = follow(sessionId, (items) => renamed(items) && seqs(items).includes(12));
      for (let index = 0; index < 10; index += 1)
        await world.log.append(sessionId, [{ kind: 'text-appended', step: 1, text: 'x' }]);
      await world.log.append(sessionId, [{ kind: 'session-changed', title: 'Renamed' }]);
      expect(snapshots(await following).length).toBeLessThanOrEqual(3);
    });
  });
});
