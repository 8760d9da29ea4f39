import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DecideRequest } from '../src/store/contract.ts';
import {
  eventsOf,
  newSession,
  openWorld,
  restartWorld,
  resultsOf,
  send,
  type World,
  waitFor,
} from './lib/session-world.ts';
import { seedMember } from './seed.ts';

/** Lines of the manual model become calls, so each case says exactly what is called. */
const sort = (file: string) => `/call run_command {"command":"sort notes.txt > ${file}"}`;

describe('approvals of a running turn', { timeout: 60_000 }, () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ engine: 'simulated', database: 'pglite', modelUrl: 'http://127.0.0.1:9/v1' });
  }, 120_000);
  afterAll(() => world.close(), 60_000);

  async function ask(text: string, mode: 'agent' | 'ask' = 'agent') {
    const sessionId = await newSession(world, mode, 'manual');
    const client = await world.wired.sandboxes.open(sessionId);
    await client.files.write('notes.txt', Buffer.from('b\na\n'), { expectedSha256: null });
    await send(world, sessionId, text);
    return { sessionId, client, asked: await waitFor(world, sessionId, 'approval-required') };
  }

  /** What the API does with an answer: the row, then the event that wakes whoever waits. */
  async function decide(
    sessionId: string,
    answer: Pick<DecideRequest, 'decision' | 'reason' | 'input'>,
    nth = 1,
    who = world.caller,
  ) {
    const asked = await waitFor(world, sessionId, 'approval-required', nth);
    const request = { ...answer, approvalId: asked.approvalId, digest: asked.digest };
    const outcome = await world.wired.stores.approvals.decideApproval(who, request, new Date());
    if (!outcome?.decided) throw new Error('The approval was not open.');
    const decision = answer.decision === 'deny' ? 'denied' : answer.decision === 'edit' ? 'edited' : 'approved';
    const { scope, decidedById: by, decidedReason: reason } = outcome.row;
    await world.wired.log.append(sessionId, [
      { kind: 'approval-decided', approvalId: asked.approvalId, callId: asked.callId, decision, scope, by, reason },
    ]);
    world.wired.runner.wake(sessionId);
  }
  const results = async (sessionId: string) => resultsOf(await eventsOf(world, sessionId));

  test('approve once runs exactly that call, and the next equal one asks again', async () => {
    const { sessionId, client, asked } = await ask(`${sort('one.txt')}\n${sort('one.txt')}`);
    expect(asked).toMatchObject({ tool: 'run_command', input: { command: 'sort notes.txt > one.txt' } });
    expect(JSON.parse(asked.canonicalText)).toMatchObject({ tool: 'run_command' });
    await decide(sessionId, { decision: 'approve_once' });
    await waitFor(world, sessionId, 'approval-required', 2);
    expect(Buffer.from((await client.files.read('one.txt')).bytes).toString()).toBe('a\nb\n');
    await decide(sessionId, { decision: 'approve_once' }, 2);
    await waitFor(world, sessionId, 'turn-finished');
    expect((await results(sessionId)).map((result) => result.ok)).toEqual([true, true]);
  });

  test('approve for the session spares the next equal question', async () => {
    const { sessionId } = await ask(`${sort('one.txt')}\n${sort('one.txt')}`);
    await decide(sessionId, { decision: 'approve_session' });
    await waitFor(world, sessionId, 'turn-finished');
    const events = await eventsOf(world, sessionId);
    expect(events.filter(({ event }) => event.kind === 'approval-required')).toHaveLength(1);
    expect(resultsOf(events).map((result) => result.ok)).toEqual([true, true]);
  });

  test('a key that was added while a turn waits is masked in what the turn reads', async () => {
    const key = 'added-meanwhile-0123456789';
    const { sessionId } = await ask(`/call run_command {"command":"echo ${key} > k.txt && cat k.txt"}`);
    await world.wired.stores.models.addProvider({
      organizationId: world.caller.organizationId,
      name: 'late',
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: key,
      models: ['m'],
      dialect: 'openai-chat',
    });
    world.wired.runner.wake(sessionId);
    await decide(sessionId, { decision: 'approve_once' });
    await waitFor(world, sessionId, 'turn-finished');
    const [result] = await results(sessionId);
    expect(result?.content).toContain('[secret:');
    expect(JSON.stringify(result)).not.toContain(key);
  });

  test('what stays is remembered with who decided and in the words that were shown', async () => {
    const { sessionId, asked } = await ask(`${sort('kept.txt')}\n${sort('not kept.txt')}`);
    const bo = await seedMember(world.database, world.caller.organizationId, 'bo', 'member', true);
    await decide(sessionId, { decision: 'approve_session' }, 1, bo);
    await decide(sessionId, { decision: 'deny', reason: 'two files' }, 2, bo);
    await waitFor(world, sessionId, 'turn-finished');
    const rows = await world.wired.stores.grants.listGrants(sessionId, new Date());
    expect(rows.map(({ kind, words, reason, grantedById }) => ({ kind, words, reason, grantedById }))).toEqual([
      { kind: 'grant', words: asked.scopeWords, reason: null, grantedById: bo.userId },
      {
        kind: 'denial',
        words: expect.stringContaining('exactly this call'),
        reason: 'two files',
        grantedById: bo.userId,
      },
    ]);
  });

  test('a denial with its reason reaches the model, and nothing ran', async () => {
    const { sessionId, client } = await ask(sort('never.txt'));
    await decide(sessionId, { decision: 'deny', reason: 'sort it by hand' });
    await waitFor(world, sessionId, 'turn-finished');
    const [result] = await results(sessionId);
    expect(result).toMatchObject({ ok: false, code: 'approval_denied' });
    expect(result?.content).toContain('sort it by hand');
    await expect(client.files.stat('never.txt')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('an edited input runs instead', async () => {
    const { sessionId, client } = await ask(sort('wrong.txt'));
    await decide(sessionId, { decision: 'edit', input: { command: 'sort notes.txt > right.txt' } });
    await waitFor(world, sessionId, 'turn-finished');
    expect(Buffer.from((await client.files.read('right.txt')).bytes).toString()).toBe('a\nb\n');
    await expect(client.files.stat('wrong.txt')).rejects.toMatchObject({ code: 'not_found' });
    const input = { command: 'sort notes.txt > right.txt' };
    const planned = (await eventsOf(world, sessionId)).flatMap(({ event }) =>
      event.kind === 'call-planned' ? [event] : [],
    );
    expect(planned.at(-1)).toMatchObject({ input, changedBy: 'person' });
    expect((await results(sessionId))[0]?.content).toContain(
      'warning: a person changed the input of this call to {"command":"sort notes.txt > right.txt"',
    );
    const row = await world.database.prisma.toolCall.findFirstOrThrow({ where: { sessionId } });
    expect(row).toMatchObject({ input, inputDigest: planned.at(-1)?.inputDigest, state: 'done' });
  });

  test('the mode "ask" asks before a file is written', async () => {
    const { sessionId, asked } = await ask('/call write_file {"path":"new.txt","content":"x"}', 'ask');
    expect(asked.tool).toBe('write_file');
    await decide(sessionId, { decision: 'approve_once' });
    await waitFor(world, sessionId, 'turn-finished');
    expect((await results(sessionId)).map((result) => result.ok)).toEqual([true]);
  });

  test('stopping withdraws the request within a second', async () => {
    const { sessionId, asked } = await ask(sort('never.txt'));
    const startedAt = performance.now();
    await world.wired.runner.stop(sessionId, world.caller.userId);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(await waitFor(world, sessionId, 'turn-finished')).toMatchObject({ status: 'stopped' });
    const row = await world.wired.stores.approvals.findApproval(sessionId, asked.callId);
    expect(row?.state).toBe('cancelled');
  });

  test('an answer whose event was never written is in the log before the call runs', async () => {
    const { sessionId, asked } = await ask(sort('mended.txt'));
    const { approvalId, digest } = asked;
    const request = { approvalId, digest, decision: 'approve_once' as const };
    await world.wired.stores.approvals.decideApproval(world.caller, request, new Date());
    await restartWorld(world);
    await waitFor(world, sessionId, 'turn-finished');
    const events = await eventsOf(world, sessionId);
    const decided = events.filter(({ event }) => event.kind === 'approval-decided');
    expect(decided.map(({ event }) => event)).toMatchObject([
      { approvalId, decision: 'approved', scope: 'once', by: world.caller.userId },
    ]);
    const started = events.find(({ event }) => event.kind === 'call-started');
    expect(decided[0]?.seq).toBeLessThan(started?.seq ?? 0);
  });

  test('a restart leaves it pending, asks nobody twice, and goes on with the answer', async () => {
    const { sessionId, asked } = await ask(sort('after.txt'));
    await restartWorld(world);
    const row = await world.wired.stores.approvals.findApproval(sessionId, asked.callId);
    expect(row?.state).toBe('pending');
    await decide(sessionId, { decision: 'approve_once' });
    await waitFor(world, sessionId, 'turn-finished');
    const events = await eventsOf(world, sessionId);
    expect(events.filter(({ event }) => event.kind === 'approval-required')).toHaveLength(1);
    expect(
      events
        .filter(({ event }) => event.kind === 'turn-started')
        .map(({ event }) => event.kind === 'turn-started' && event.resumed),
    ).toEqual([false, true]);
    expect(resultsOf(events).map((result) => result.ok)).toEqual([true]);
  });
});
