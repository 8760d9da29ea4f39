import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJobs, sweep } from '../src/jobs.ts';
import { createEventLog, type EventLog } from '../src/sessions/events.ts';
import type { Caller, Stores } from '../src/store/contract.ts';
import { createEventStore } from '../src/store/event-store.ts';
import { storeOver } from '../src/store/open-store.ts';
import { approvalRequest, seedMember, seedOrganization, seedSession, testStores } from './seed.ts';
import { databaseKinds, openTestDatabase, type TestDatabase } from './test-database.ts';

describe.each(databaseKinds)('jobs on %s', (kind) => {
  let opened: TestDatabase;
  let stores: Stores;
  let log: EventLog;
  let ana: Caller;
  const problems: unknown[] = [];

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    stores = testStores(opened.database);
    log = await createEventLog({ store: createEventStore(opened.database), onError: (cause) => problems.push(cause) });
    ana = await seedMember(opened.database, await seedOrganization(opened.database, 'acme'), 'ana', 'owner');
  });
  afterAll(async () => {
    await log.close();
    await opened.drop();
  });

  test('a wake-up reaches a runner through the shared pool, and the queue ends cleanly', async () => {
    const woken = Promise.withResolvers<string>();
    const jobs = await startJobs({
      executeSql: storeOver(opened.database, randomBytes(32)).executeSql,
      approvals: stores.approvals,
      outputs: stores.outputs,
      abandonedBefore: new Date(0),
      log,
      wake: woken.resolve,
      wakeIdle: async () => {},
      now: () => new Date(),
      report: (problem) => problems.push(problem),
    });
    await Promise.all([jobs.wakeAny('s1'), jobs.wakeAny('s1')]);
    expect(await woken.promise).toBe('s1');
    await jobs.close();
    expect(problems).toEqual([]);
  });

  test('an approval past its deadline expires with an event, and its session is woken', async () => {
    const sessionId = await seedSession(stores, ana);
    const deadline = new Date(Date.now() + 60_000);
    const { id } = await stores.approvals.openApproval({
      organizationId: ana.organizationId,
      sessionId,
      requestedById: ana.userId,
      request: approvalRequest('c1'),
      deadline,
    });
    const woken: string[] = [];
    const run = (now: Date) =>
      sweep({
        approvals: stores.approvals,
        log,
        wake: (one) => woken.push(one),
        wakeIdle: async () => {},
        now: () => now,
        report: (problem) => problems.push(problem),
      });
    await run(new Date(deadline.getTime() - 1));
    expect(woken).toEqual([]);
    await run(deadline);
    await run(deadline);
    expect(woken).toEqual([sessionId]);
    expect(await log.latest(sessionId, 'approval-decided')).toMatchObject({
      approvalId: id,
      decision: 'expired',
      by: null,
    });
  });

  test('an event that cannot be written keeps no other session asleep', async () => {
    const deadline = new Date(Date.now() + 120_000);
    const sessions = [await seedSession(stores, ana), await seedSession(stores, ana)];
    for (const sessionId of sessions) {
      const request = approvalRequest('c1');
      const { organizationId, userId: requestedById } = ana;
      await stores.approvals.openApproval({ organizationId, sessionId, requestedById, request, deadline });
    }
    const woken: string[] = [];
    const reported: unknown[] = [];
    await sweep({
      approvals: stores.approvals,
      log: {
        append: (sessionId, events) =>
          sessionId === sessions[0] ? Promise.reject(new Error('lost')) : log.append(sessionId, events),
      },
      wake: (one) => woken.push(one),
      wakeIdle: async () => void woken.push('idle'),
      now: () => deadline,
      report: ({ cause }) => reported.push(cause),
    });
    expect(woken.toSorted()).toEqual([...sessions, 'idle'].toSorted());
    expect(reported).toEqual([new Error('lost')]);
    expect(await log.latest(sessions[1] ?? '', 'approval-decided')).toMatchObject({ decision: 'expired' });
  });
});
