import type { SessionEvent, StoredEvent } from '@oneslot/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedMember, seedOrganization, seedSession, testStores } from '../../test/seed.ts';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Caller, Stores } from '../store/contract.ts';
import { createEventStore } from '../store/event-store.ts';
import { createEventLog, type EventLog } from './events.ts';
import { createWakeUp } from './wake-up.ts';

const notice = (text: string): SessionEvent => ({ kind: 'notice-added', level: 'info', text, next: null });
const textOf = (stored: StoredEvent) => (stored.event.kind === 'notice-added' ? stored.event.text : '');

describe.each(databaseKinds)('event log on %s', (kind) => {
  let opened: TestDatabase;
  let stores: Stores;
  let log: EventLog;
  let ana: Caller;
  const errors: unknown[] = [];

  const openLog = () =>
    createEventLog({ store: createEventStore(opened.database), onError: (error) => errors.push(error) });

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    stores = testStores(opened.database);
    log = await openLog();
    ana = await seedMember(opened.database, await seedOrganization(opened.database, 'acme'), 'ana', 'owner');
  });
  afterAll(async () => {
    await log.close();
    await opened.drop();
  });

  test('200 concurrent appends leave one dense sequence, and each caller learns its own place', async () => {
    const sessionId = await seedSession(stores, ana);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => log.append(sessionId, [notice(`${index}a`), notice(`${index}b`)])),
    );
    const stored = await log.read(sessionId, 1, 1_000);
    expect(stored.map((one) => one.seq)).toEqual(Array.from({ length: 400 }, (_, index) => index + 1));
    answers.forEach((answer, index) => {
      expect(answer.map(textOf)).toEqual([`${index}a`, `${index}b`]);
      expect(stored[(answer[0]?.seq ?? 0) - 1]).toEqual(answer[0]);
    });
  });

  const callRows = (sessionId: string) =>
    opened.database.prisma.toolCall.findMany({ where: { sessionId }, orderBy: { callId: 'asc' } });

  test('two logs on one database stay dense together', async () => {
    const sessionId = await seedSession(stores, ana);
    const other = await openLog();
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? log : other).append(sessionId, [notice(String(index))])),
    );
    const stored = await log.read(sessionId, 1, 1_000);
    expect(stored.map((one) => one.seq)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    await other.close();
  });

  test('a post and the append behind it keep their order', async () => {
    const sessionId = await seedSession(stores, ana);
    for (let index = 0; index < 20; index += 1) log.post(sessionId, notice(String(index)));
    const [last] = await log.append(sessionId, [notice('20')]);
    expect(last?.seq).toBe(21);
    expect((await log.read(sessionId, 1, 100)).map(textOf)).toEqual(Array.from({ length: 21 }, (_, i) => String(i)));
  });

  test('a runner that lost its lease cannot write; a person still can', async () => {
    const sessionId = await seedSession(stores, ana);
    const first = await stores.sessions.takeLease(sessionId, 'r1', new Date(0));
    await log.append(sessionId, [notice('mine')], { epoch: first?.epoch ?? -1 });
    const second = await stores.sessions.takeLease(sessionId, 'r2', new Date(60_000));
    expect(second?.epoch).toBe(2);
    await expect(log.append(sessionId, [notice('late')], { epoch: 1 })).rejects.toMatchObject({ code: 'conflict' });
    await log.append(sessionId, [notice('person')]);
    expect((await log.read(sessionId, 1, 10)).map(textOf)).toEqual(['mine', 'person']);
  });

  test('a post that fails is reported and fails the next append, once', async () => {
    const sessionId = await seedSession(stores, ana);
    errors.length = 0;
    log.post(sessionId, notice('fenced'), { epoch: 7 });
    await expect(log.append(sessionId, [notice('behind')])).rejects.toMatchObject({ code: 'conflict' });
    expect(errors).toHaveLength(1);
    await log.append(sessionId, [notice('after')]);
    expect((await log.read(sessionId, 1, 10)).map(textOf)).toEqual(['after']);
  });

  test('flush tells of a failed post', async () => {
    const sessionId = await seedSession(stores, ana);
    log.post(sessionId, notice('fenced'), { epoch: 7 });
    await expect(log.flush(sessionId)).rejects.toMatchObject({ code: 'conflict' });
    await log.flush(sessionId);
  });

  test('an unknown session and an oversized event are refused', async () => {
    const sessionId = await seedSession(stores, ana);
    await expect(log.append('nope', [notice('x')])).rejects.toMatchObject({ code: 'not_found' });
    await expect(log.append(sessionId, [notice('x'.repeat(70_000))])).rejects.toMatchObject({ code: 'too_large' });
    expect(await log.lastSeq(sessionId)).toBe(0);
  });

  test('NUL, lone surrogates and key order survive', async () => {
    const sessionId = await seedSession(stores, ana);
    const event = notice('a\0b\ud800c');
    await log.append(sessionId, [event]);
    expect((await log.read(sessionId, 1, 1))[0]?.event).toEqual(event);
    const input = { z: 'a\0', a: { b: '\udfff' } };
    await log.append(sessionId, [
      {
        kind: 'call-planned',
        callId: 'c',
        name: 'x\0',
        tool: 'x',
        title: 't\0',
        input,
        inputDigest: 'd',
        level: 'auto',
        decision: 'run',
        readOnly: true,
        repair: null,
      },
    ]);
    expect((await callRows(sessionId)).map((call) => call.state)).toEqual(['planned']);
  });

  test('replay and follow without gap or duplicate while others write', async () => {
    const sessionId = await seedSession(stores, ana);
    const total = 300;
    const seen: number[] = [];
    const stop = new AbortController();
    const follow = async () => {
      const wake = createWakeUp(stop.signal);
      const unsubscribe = log.subscribe(sessionId, wake.up);
      let seq = 0;
      while (seen.length < total) {
        const rows = await log.read(sessionId, seq + 1, 50);
        for (const row of rows) {
          seen.push(row.seq);
          seq = row.seq;
        }
        if (rows.length === 0) await wake.next();
      }
      unsubscribe();
    };
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let index = 0; index < 50; index += 1) await log.append(sessionId, [notice(`${writer}-${index}`)]);
    });
    await Promise.all([follow(), ...writers]);
    expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1));
  });

  // The embedded database belongs to one process, so there no other runner can write.
  if (kind === 'postgres') {
    test('a follower hears of what another runner wrote', async () => {
      const sessionId = await seedSession(stores, ana);
      const other = await openLog();
      const heard = Promise.withResolvers<void>();
      const listed = Promise.withResolvers<void>();
      other.subscribe(sessionId, heard.resolve);
      other.subscribeLists(ana.organizationId, listed.resolve);
      await log.append(sessionId, [notice('far')]);
      await heard.promise;
      log.touchLists(ana.organizationId);
      await listed.promise;
      await other.close();
    });
  }

  test('lists are woken by what they show, not by deltas', async () => {
    const sessionId = await seedSession(stores, ana);
    let woken = 0;
    const stop = log.subscribeLists(ana.organizationId, () => {
      woken += 1;
    });
    await log.append(sessionId, [{ kind: 'text-appended', step: 1, text: 'x' }]);
    expect(woken).toBe(0);
    await log.append(sessionId, [{ kind: 'session-changed', title: 'New' }]);
    expect(woken).toBe(1);
    stop();
  });

  test('what is derived follows in the same statement', async () => {
    const sessionId = await seedSession(stores, ana);
    const result = {
      callId: 'c1',
      ok: true,
      code: null,
      content: 'x',
      parts: [],
      warnings: [],
      truncated: false,
      outputRef: 'out_1',
      untrusted: false,
      tookMs: 3,
    };
    await log.append(sessionId, [
      { kind: 'session-changed', title: 'Named', mode: 'ask', status: 'running', modelId: null },
      {
        kind: 'call-planned',
        callId: 'c1',
        name: 'grep',
        tool: 'grep_files',
        title: 'grep',
        input: {},
        inputDigest: 'd',
        level: 'auto',
        decision: 'run',
        readOnly: true,
        repair: null,
      },
      { kind: 'call-started', callId: 'c1', early: false },
      {
        kind: 'call-planned',
        callId: 'c2',
        name: 'grep',
        tool: 'grep_files',
        title: 'grep',
        input: {},
        inputDigest: 'd',
        level: 'auto',
        decision: 'run',
        readOnly: true,
        repair: null,
      },
      { kind: 'usage-recorded', modelId: 'm', inputTokens: 10, cachedTokens: 4, outputTokens: 2 },
      { kind: 'usage-recorded', modelId: 'm', inputTokens: 1, cachedTokens: 0, outputTokens: 1 },
    ]);
    await log.append(sessionId, [
      { kind: 'call-finished', callId: 'c1', result },
      { kind: 'call-finished', callId: 'c2', result: { ...result, callId: 'c2', ok: false, code: 'interrupted' } },
      { kind: 'step-completed', step: 1, text: 'Done.', reasoning: '', calls: [], ending: 'complete', forged: 0 },
    ]);
    await log.append(sessionId, [
      { kind: 'call-started', callId: 'c3', early: false },
      { kind: 'call-finished', callId: 'c3', result: { ...result, callId: 'c3', ok: false, code: null } },
    ]);
    const session = await stores.sessions.getSession(ana, sessionId);
    expect(session).toMatchObject({ title: 'Named', mode: 'ask', status: 'running', lastText: 'Done.' });
    expect(session?.usage).toEqual({ inputTokens: 11, cachedTokens: 4, outputTokens: 3 });
    const calls = await callRows(sessionId);
    expect(calls.map((call) => [call.callId, call.state, call.tool]).sort()).toEqual([
      ['c1', 'done', 'grep_files'],
      ['c2', 'unknown', 'grep_files'],
      ['c3', 'failed', null],
    ]);
    const told = (await log.read(sessionId, 1, 100)).flatMap(({ event }) =>
      event.kind === 'call-finished' ? [[event.callId, event.state]] : [],
    );
    expect(told).toEqual(calls.map((call) => [call.callId, call.state]).sort());
    expect(await log.latest(sessionId, 'usage-recorded')).toMatchObject({ inputTokens: 1 });
  });
});
