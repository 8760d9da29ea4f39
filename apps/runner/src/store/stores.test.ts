import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvalRequest, seedMember, seedOrganization, seedSession, testStores } from '../../test/seed.ts';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { ApprovalRow, Caller, Stores } from './contract.ts';
import { createModelStore } from './model-store.ts';
import { createSecretBox } from './secret-box.ts';

const at = (seconds: number) => new Date(1_700_000_000_000 + seconds * 1_000);

describe.each(databaseKinds)('stores on %s', (kind) => {
  let opened: TestDatabase;
  let stores: Stores;
  let ana: Caller;
  let ben: Caller;
  let cho: Caller;
  let eve: Caller;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    stores = testStores(opened.database);
    const acme = await seedOrganization(opened.database, 'acme');
    ana = await seedMember(opened.database, acme, 'ana', 'owner');
    ben = await seedMember(opened.database, acme, 'ben', 'member');
    cho = await seedMember(opened.database, acme, 'cho', 'member', true);
    eve = await seedMember(opened.database, await seedOrganization(opened.database, 'bolt'), 'eve', 'owner', true);
  });
  afterAll(() => opened.drop());

  const open = (
    sessionId: string,
    callId: string,
    options: { digest?: string; deadline?: Date } = {},
  ): Promise<ApprovalRow> =>
    stores.approvals.openApproval({
      organizationId: ana.organizationId,
      sessionId,
      requestedById: ana.userId,
      request: approvalRequest(callId, options.digest),
      deadline: options.deadline ?? at(3_600),
    });

  test('of 50 runners that want a free session one gets the lease; the epoch only rises', async () => {
    const sessionId = await seedSession(stores, ana);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => stores.sessions.takeLease(sessionId, `r${i}`, at(0))),
    );
    expect(answers.filter((one) => one !== null)).toEqual([{ epoch: 1 }]);
    expect(await stores.sessions.takeLease(sessionId, 'late', at(14))).toBeNull();
    expect(await stores.sessions.takeLease(sessionId, 'thief', at(15))).toEqual({ epoch: 2 });
  });

  test('a lease is renewed and released by its holder alone', async () => {
    const sessionId = await seedSession(stores, ana);
    await stores.sessions.takeLease(sessionId, 'a', at(0));
    expect(await stores.sessions.renewLease(sessionId, 'a', 1, at(10))).toBe(true);
    expect(await stores.sessions.takeLease(sessionId, 'b', at(20))).toBeNull();
    expect(await stores.sessions.renewLease(sessionId, 'b', 1, at(20))).toBe(false);
    expect(await stores.sessions.takeLease(sessionId, 'b', at(30))).toEqual({ epoch: 2 });
    expect(await stores.sessions.renewLease(sessionId, 'a', 1, at(30))).toBe(false);
    await stores.sessions.releaseLease(sessionId, 'a', 1);
    expect(await stores.sessions.takeLease(sessionId, 'c', at(31))).toBeNull();
    await stores.sessions.releaseLease(sessionId, 'b', 2);
    expect(await stores.sessions.takeLease(sessionId, 'c', at(31))).toEqual({ epoch: 3 });
  });

  test('sessions with work are those with a queued message or an open turn and nobody on them', async () => {
    const [idle, queued, turning, held] = await Promise.all([1, 2, 3, 4].map(() => seedSession(stores, ana)));
    const message = { organizationId: ana.organizationId, messageId: 'm', text: 'x', by: ana.userId };
    await stores.messages.queueMessage({ ...message, sessionId: queued ?? '' });
    await stores.messages.queueMessage({ ...message, sessionId: held ?? '' });
    await stores.turns.createTurn({
      id: `t-${turning}`,
      sessionId: turning ?? '',
      organizationId: ana.organizationId,
      modelId: 'm',
      epoch: 1,
    });
    await stores.sessions.takeLease(held ?? '', 'r', at(0));
    const found = await stores.sessions.sessionsWithWork(at(1));
    expect([idle, queued, turning, held].map((id) => found.includes(id ?? ''))).toEqual([false, true, true, false]);
    expect(await stores.sessions.sessionsWithWork(at(15))).toContain(held);
    await stores.turns.finishTurn(`t-${turning}`, { status: 'completed', reason: null, at: new Date() });
    expect(await stores.sessions.sessionsWithWork(at(1))).not.toContain(turning);
    await stores.sessions.clearLeases();
    expect(await stores.sessions.sessionsWithWork(at(1))).toContain(held);
  });

  test('messages are sent once, taken once and in order', async () => {
    const sessionId = await seedSession(stores, ana);
    const send = (messageId: string) =>
      stores.messages.queueMessage({
        sessionId,
        organizationId: ana.organizationId,
        messageId,
        text: messageId,
        by: ana.userId,
      });
    for (const id of ['c', 'a', 'b']) expect(await send(id)).toBe(true);
    expect(await send('a')).toBe(false);
    expect(await stores.messages.unqueueMessage(sessionId, 'a')).toBe(true);
    expect(await stores.messages.takeMessages(sessionId, { epoch: 9 })).toEqual([]);
    const both = await Promise.all([stores.messages.takeMessages(sessionId), stores.messages.takeMessages(sessionId)]);
    expect(both.flat().map((one) => one.messageId)).toEqual(['c', 'b']);
    expect(await stores.messages.unqueueMessage(sessionId, 'c')).toBe(false);
  });

  test('200 answers to one approval in the same moment make exactly one transition', async () => {
    const sessionId = await seedSession(stores, ana);
    const { id, digest } = await open(sessionId, 'race');
    const decisions = ['approve_once', 'deny', 'approve_session', 'edit'] as const;
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        stores.approvals.decideApproval(
          i % 2 ? ana : cho,
          { approvalId: id, digest, decision: decisions[i % 4] ?? 'deny', input: {} },
          at(0),
        ),
      ),
    );
    const won = outcomes.filter((one) => one?.decided);
    expect(won).toHaveLength(1);
    const row = await stores.approvals.findApproval(sessionId, 'race');
    expect(row).toEqual(won[0]?.row);
    expect(outcomes.every((one) => one?.row.state === row?.state)).toBe(true);
  });

  test('who may answer: the owner of the session and those with the right, nobody else', async () => {
    const sessionId = await seedSession(stores, ana);
    const { id: approvalId, digest } = await open(sessionId, 'who');
    const request = { approvalId, digest, decision: 'deny' } as const;
    expect(await stores.approvals.decideApproval(eve, request, at(0))).toBeNull();
    expect(await stores.approvals.decideApproval(ben, request, at(0))).toBeNull();
    expect((await stores.approvals.listPending(ben)).map((one) => one.id)).not.toContain(approvalId);
    expect((await stores.approvals.listPending(cho)).map((one) => one.id)).toContain(approvalId);
    expect((await stores.approvals.decideApproval(cho, request, at(0)))?.decided).toBe(true);
  });

  test('another digest, a passed deadline and a scope that is not offered decide nothing', async () => {
    const sessionId = await seedSession(stores, ana);
    const { id: approvalId, digest } = await open(sessionId, 'late', { deadline: at(10) });
    const approve = { approvalId, digest, decision: 'approve_once' } as const;
    expect(await stores.approvals.decideApproval(ana, { ...approve, digest: 'other' }, at(0))).toMatchObject({
      decided: false,
      row: { state: 'pending' },
    });
    expect(await stores.approvals.decideApproval(ana, approve, at(11))).toMatchObject({ decided: false });
    expect((await stores.approvals.expireApprovals(at(11))).map((row) => row.id)).toContain(approvalId);
    expect(await stores.approvals.decideApproval(ana, approve, at(0))).toMatchObject({
      decided: false,
      row: { state: 'expired' },
    });
    const exact = await stores.approvals.openApproval({
      organizationId: ana.organizationId,
      sessionId,
      requestedById: ana.userId,
      request: { ...approvalRequest('exact'), sessionScope: null },
      deadline: at(10),
    });
    const forSession = { approvalId: exact.id, digest: exact.digest, decision: 'approve_session' } as const;
    expect(await stores.approvals.decideApproval(ana, forSession, at(0))).toMatchObject({ decided: false });
  });

  test('opening twice is opening once; a reopened row counts again when its bytes are back', async () => {
    const sessionId = await seedSession(stores, ana);
    const first = await open(sessionId, 'again', { digest: 'd1' });
    expect((await open(sessionId, 'again', { digest: 'd1' })).id).toBe(first.id);
    await stores.approvals.cancelApprovals(sessionId, { callId: 'again', to: 'reopened' });
    const second = await open(sessionId, 'again', { digest: 'd2' });
    expect(second.id).not.toBe(first.id);
    expect((await stores.approvals.findApproval(sessionId, 'again'))?.id).toBe(second.id);
    expect(await open(sessionId, 'again', { digest: 'd1' })).toMatchObject({ id: first.id, state: 'pending' });
  });

  test('envelopes appear when finished, are read by range and stay in their session', async () => {
    const sessionId = await seedSession(stores, ana);
    const other = await seedSession(stores, ana);
    const owner = { organizationId: ana.organizationId, sessionId };
    const ref = await stores.envelopes.openEnvelope(owner, {
      callId: 'c',
      tool: 't',
      origin: 'o',
      untrusted: true,
      cutOffset: null,
    });
    const bytes = randomBytes(1_000);
    for (let index = 0; index < 10; index += 1) {
      const chunk = new Uint8Array(bytes.subarray(index * 100, index * 100 + 100));
      await stores.envelopes.appendChunk({
        ref,
        organizationId: ana.organizationId,
        index,
        offset: index * 100,
        bytes: chunk,
      });
    }
    expect(await stores.envelopes.envelopeInfo(sessionId, ref)).toBeNull();
    expect(await stores.envelopes.readEnvelope(sessionId, ref, 0, 10)).toHaveLength(0);
    await stores.envelopes.finishEnvelope(sessionId, ref, {
      bytes: 1_000,
      storedBytes: 1_000,
      lines: 1,
      sha256: 's',
      cutOffset: 7,
    });
    expect(await stores.envelopes.envelopeInfo(sessionId, ref)).toMatchObject({
      ref,
      bytes: 1_000,
      cutOffset: 7,
      untrusted: true,
    });
    for (const [start, end] of [
      [0, 1_000],
      [150, 350],
      [199, 201],
      [990, 5_000],
      [2_000, 3_000],
    ] as const) {
      expect(Buffer.from(await stores.envelopes.readEnvelope(sessionId, ref, start, end))).toEqual(
        bytes.subarray(start, end),
      );
    }
    expect(await stores.envelopes.envelopeInfo(other, ref)).toBeNull();
    expect(await stores.envelopes.readEnvelope(other, ref, 0, 10)).toHaveLength(0);
    await stores.envelopes.abortEnvelope(sessionId, ref);
    expect(await stores.envelopes.newestRefs(sessionId, 5)).toEqual([ref]);
  });

  test('a question is answered once', async () => {
    const sessionId = await seedSession(stores, ana);
    await stores.questions.openQuestion({ sessionId, organizationId: ana.organizationId, callId: 'q', questions: [] });
    const answer = [{ id: 'a', labels: ['yes'], freeText: null, answeredBy: ana.userId, answeredAt: 1 }];
    const done = await Promise.all([1, 2, 3].map(() => stores.questions.answerQuestion(sessionId, 'q', answer)));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await stores.questions.findQuestion(sessionId, 'q')).toMatchObject({ state: 'answered', answers: answer });
  });

  test('grants are kept once and end with their expiry', async () => {
    const sessionId = await seedSession(stores, ana);
    const grant = {
      organizationId: ana.organizationId,
      sessionId,
      kind: 'grant' as const,
      fingerprint: 'ls',
      words: 'ls',
      reason: null,
      grantedById: ana.userId,
      expiresAt: at(10),
    };
    await stores.grants.addGrant(grant);
    await stores.grants.addGrant({ ...grant, expiresAt: at(20) });
    expect(await stores.grants.listGrants(sessionId, at(15))).toHaveLength(1);
    expect(await stores.grants.listGrants(sessionId, at(15), 'denial')).toEqual([]);
    expect(await stores.grants.listGrants(sessionId, at(20))).toEqual([]);
  });

  test('a provider key is sealed at rest and opens for its own organization and provider only', async () => {
    const box = createSecretBox(randomBytes(32));
    const models = createModelStore(opened.database, box);
    const key = 'sk-canary-0123456789';
    const provider = {
      organizationId: ana.organizationId,
      name: 'p',
      baseUrl: 'http://model.test',
      apiKey: key,
      models: ['m', 'm'],
      dialect: 'openai-chat' as const,
    };
    const id = await models.addProvider(provider);
    expect(await models.readModelKey(ana.organizationId, id)).toBe(key);
    expect(await models.readModelKey(eve.organizationId, id)).toBeNull();
    const stored = await opened.database.prisma.modelProvider.findUniqueOrThrow({ where: { id } });
    expect(Buffer.from(stored.keyCiphertext ?? []).includes(key)).toBe(false);
    await expect(models.addProvider(provider)).rejects.toMatchObject({ code: 'conflict' });
    expect(await models.listModels(ana.organizationId)).toMatchObject([{ name: 'm', hasKey: true }]);
    const stranger = createModelStore(opened.database, createSecretBox(randomBytes(32)));
    await expect(stranger.readModelKey(ana.organizationId, id)).rejects.toMatchObject({ code: 'unavailable' });
    const moved = await models.addProvider({ ...provider, name: 'p2', apiKey: null });
    await opened.database.prisma.modelProvider.update({
      where: { id: moved },
      data: { keyCiphertext: stored.keyCiphertext },
    });
    await expect(models.readModelKey(ana.organizationId, moved)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('lists page by cursor without loss or repetition, also while equal times abound', async () => {
    const dora = await seedMember(opened.database, ana.organizationId, 'dora', 'member');
    const ids = await Promise.all(Array.from({ length: 25 }, (_, i) => seedSession(stores, dora, `s${i}`)));
    await opened.database.prisma.session.updateMany({ where: { ownerId: dora.userId }, data: { updatedAt: at(0) } });
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await stores.sessions.listSessions(dora, { limit: 10, ...(cursor && { cursor }) });
      seen.push(...page.items.map((one) => one.id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  test('removing a session removes everything of it and leaves what was spent', async () => {
    const sessionId = await seedSession(stores, ana);
    await open(sessionId, 'gone');
    await opened.database.prisma.usage.create({
      data: {
        sessionId,
        seq: 1,
        organizationId: ana.organizationId,
        modelId: 'm',
        inputTokens: 1,
        cachedTokens: 0,
        outputTokens: 1,
      },
    });
    expect(await stores.sessions.removeSession(eve, sessionId)).toBe(false);
    expect(await stores.sessions.removeSession(ana, sessionId)).toBe(true);
    expect(await opened.database.prisma.approval.count({ where: { sessionId } })).toBe(0);
    expect(await opened.database.prisma.usage.count({ where: { sessionId } })).toBe(1);
  });
});
