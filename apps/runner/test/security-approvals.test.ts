import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appRouter } from '../src/router.ts';
import { dataOf } from './lib/api-world.ts';
import { expectNotBuilt } from './lib/entry-points.ts';
import { call, type LiveWorld, openLiveWorld, run } from './lib/live-world.ts';

// Numbers are those of the adversarial tests, section B: through the API, the runner and the dispatcher it wires.

const sort = (file: string) => run(`sort notes.txt > ${file}`);

describe('answers to approvals', { timeout: 60_000 }, () => {
  let live: LiveWorld;
  beforeAll(async () => {
    live = await openLiveWorld();
  }, 180_000);
  afterAll(() => live.close(), 60_000);

  const message = (answer: { body: string }): string => JSON.parse(answer.body).error.json.message;

  async function ask(...calls: Parameters<typeof live.say>[1][number]['calls'] & object) {
    const sessionId = await live.open('agent');
    await live.write(sessionId, 'notes.txt', 'b\na\n');
    await live.say(sessionId, [{ calls }]);
    return { sessionId, asked: await live.asked(sessionId) };
  }

  test('security 20: an answer to other bytes than those shown is refused, and so is a yes whose row was changed', async () => {
    const { sessionId, asked } = await ask(sort('other.txt'));
    const flipped = `${asked.digest.slice(0, -1)}${asked.digest.endsWith('0') ? '1' : '0'}`;
    const other = await live.decide({ ...asked, digest: flipped }, { decision: 'approve_once' });
    expect([other.status, message(other)]).toEqual([409, expect.stringContaining('not the one this answer was given')]);
    expect(await live.all(sessionId, 'approval-decided')).toEqual([]);
    // Somebody writes a yes for other bytes straight into the row, and wakes whoever waits.
    await live.world.database.pool.query(
      `UPDATE "Approval" SET state = 'approved', scope = 'once', digest = $1 WHERE id = $2`,
      [flipped, asked.approvalId],
    );
    await live.world.wired.log.append(sessionId, [{ kind: 'session-changed', by: null }]);
    await live.ended(sessionId);
    expect((await live.all(sessionId, 'call-finished')).map(({ result }) => result.code)).toEqual(['conflict']);
    expect(await live.all(sessionId, 'call-started')).toEqual([]);
    expect(await live.read(sessionId, 'other.txt')).toBeNull();
  });

  test('security 22: a decision without sign-in, token or right, a replayed one and a stale one change nothing', async () => {
    expectNotBuilt('answer by chat, mail or push', 'HTTP API key');
    const { sessionId, asked } = await ask(sort('once.txt'));
    const { ana, ben, cho, dev, eve } = live.people;
    const input = { approvalId: asked.approvalId, digest: asked.digest, decision: 'approve_once' };
    const send = (person: typeof ana | null, headers: Record<string, string> = {}) =>
      live.api.call(person, 'approvals.decide', input, { type: 'mutation', headers });
    expect((await send(null)).status).toBe(401);
    expect((await send(ana, { 'x-csrf-token': '' })).status).toBe(403);
    expect((await send(ana, { 'x-csrf-token': cho.csrf })).status).toBe(403);
    expect((await send(ana, { origin: 'https://evil.test' })).status).toBe(403);
    expect([(await send(ben)).status, (await send(eve)).status, (await send(dev)).status]).toEqual([404, 404, 403]);
    expect(await live.all(sessionId, 'approval-decided')).toEqual([]);

    expect((await send(cho)).status).toBe(200);
    const replayed = await send(cho);
    expect([replayed.status, message(replayed)]).toEqual([409, 'This approval is already approved.']);
    await live.ended(sessionId);
    expect(await live.all(sessionId, 'approval-decided')).toMatchObject([{ by: cho.caller.userId }]);
    expect(dataOf<{ id: string }[]>(await live.api.call(ana, 'approvals.list', undefined))).toEqual([]);
    // The one way in: another procedure that answers approvals has to be tried here as well.
    const ways = Object.keys(appRouter._def.procedures).filter((path) => /approv|decide/i.test(path));
    expect(ways.sort()).toEqual(['approvals.decide', 'approvals.grants', 'approvals.list', 'approvals.revoke']);
  });

  test('security 27: of ten answers in one moment one counts, and each other one is told why', async () => {
    const { sessionId, asked } = await ask(sort('ten.txt'));
    const { ana, cho } = live.people;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        live.decide(asked, { decision: index % 2 === 0 ? 'approve_once' : 'deny' }, index % 3 === 0 ? cho : ana),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const late of answers.filter((answer) => answer.status !== 200))
      expect([late.status, message(late)]).toEqual([
        409,
        expect.stringMatching(/^This approval is already (approved|denied)\.$/),
      ]);
    await live.ended(sessionId);
    const decided = await live.all(sessionId, 'approval-decided');
    expect(decided).toHaveLength(1);
    expect((await live.all(sessionId, 'call-started')).length).toBe(decided[0]?.decision === 'approved' ? 1 : 0);
  });

  test('security 27: an answer after the deadline or after a stop comes too late and says so', async () => {
    const late = await ask(sort('late.txt'));
    live.api.clock.aheadMs = 25 * 3_600_000;
    const expired = await live.decide(late.asked, { decision: 'approve_once' });
    live.api.clock.aheadMs = 0;
    expect([expired.status, message(expired)]).toEqual([409, 'The deadline of this approval has passed.']);
    await live.stop(late.sessionId);
    const stopped = await live.decide(late.asked, { decision: 'approve_once' });
    expect([stopped.status, message(stopped)]).toEqual([409, 'This approval is already cancelled.']);
    await live.ended(late.sessionId);
    expect(await live.read(late.sessionId, 'late.txt')).toBeNull();
  });

  test('security 27: a yes to what the mode no longer allows runs nothing, and the model reads why', async () => {
    const { sessionId, asked } = await ask(sort('planned.txt'));
    const { ana } = live.people;
    dataOf(await live.api.call(ana, 'sessions.setMode', { sessionId, mode: 'plan' }, { type: 'mutation' }));
    // The session hears of it by itself; whoever answers afterwards answers under the new mode.
    await live.world.wired.log.append(sessionId, [{ kind: 'session-changed', by: null }]);
    live.world.wired.runner.wake(sessionId);
    expect((await live.decide(asked, { decision: 'approve_once' })).status).toBe(200);
    await live.ended(sessionId);
    expect((await live.all(sessionId, 'call-finished')).map(({ result }) => result.code)).toEqual(['plan_mode']);
    expect(await live.read(sessionId, 'planned.txt')).toBeNull();
  });

  test.each([
    ['edited', (sessionId: string) => live.write(sessionId, 'target.txt', 'changed')],
    [
      'replaced by a link',
      async (sessionId: string) => {
        const { commands } = await live.world.wired.sandboxes.open(sessionId);
        const request = { timeoutMs: 5_000, background: false, tty: false };
        const command = 'rm target.txt && ln -s notes.txt target.txt';
        await commands.run({ ...request, command }, { signal: AbortSignal.timeout(10_000), onOutput: () => {} });
      },
    ],
  ])('security 28: a named file that was %s between answer and run opens the card again', async (_, change) => {
    const sessionId = await live.open('ask');
    await live.write(sessionId, 'notes.txt', 'b\na\n');
    await live.write(sessionId, 'target.txt', 'before');
    await live.say(sessionId, [
      { calls: [call('read_file', { path: 'target.txt' })] },
      { calls: [call('write_file', { path: 'target.txt', content: 'after' })] },
    ]);
    const first = await live.asked(sessionId);
    await change(sessionId);
    expect((await live.decide(first, { decision: 'approve_once' })).status).toBe(200);
    const second = await live.asked(sessionId, 2);
    expect(second.callId).toBe(first.callId);
    expect(second.digest).not.toBe(first.digest);
    expect(await live.all(sessionId, 'call-started')).toHaveLength(1);
    expect((await live.decide(first, { decision: 'approve_once' })).status).toBe(409);
    expect((await live.decide(second, { decision: 'deny' })).status).toBe(200);
    await live.ended(sessionId);
    expect(await live.read(sessionId, 'target.txt')).not.toBe('after');
  });
});
