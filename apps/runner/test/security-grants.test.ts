import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from './lib/api-world.ts';
import { expectNotBuilt } from './lib/entry-points.ts';
import { call, type LiveWorld, openLiveWorld, run } from './lib/live-world.ts';

// Numbers are those of the adversarial tests, section B: what a remembered answer admits, and what it does not.

type Grant = { id: string; kind: string; words: string; expiresAt: Date | null };

describe('answers for a session', { timeout: 120_000 }, () => {
  let live: LiveWorld;
  beforeAll(async () => {
    live = await openLiveWorld();
  }, 180_000);
  afterAll(() => live.close(), 60_000);

  /** How each of these commands was taken, one turn each: asked about and denied, or run without a question. */
  async function questions(sessionId: string, calls: readonly ReturnType<typeof call>[]) {
    const asked: boolean[] = [];
    for (const one of calls) {
      const [before, turns] = await Promise.all([
        live.all(sessionId, 'approval-required'),
        live.all(sessionId, 'turn-finished'),
      ]);
      await live.say(sessionId, [{ calls: [one] }]);
      const question = live.asked(sessionId, before.length + 1);
      const end = live.ended(sessionId, turns.length + 1);
      const request = await Promise.race([question, end.then(() => null)]);
      if (request) expect((await live.decide(request, { decision: 'deny' })).status).toBe(200);
      await end;
      asked.push(request !== null);
    }
    return asked;
  }

  async function granted(command: string) {
    const sessionId = await live.open('ask');
    await live.say(sessionId, [{ calls: [run(command)] }]);
    const asked = await live.asked(sessionId);
    expect((await live.decide(asked, { decision: 'approve_session' })).status).toBe(200);
    await live.ended(sessionId);
    return sessionId;
  }

  test('security 29: "always git show" admits its like and nothing that does more, elsewhere or for others', async () => {
    expectNotBuilt('sub-agent');
    const sessionId = await granted('git show');
    expect(await questions(sessionId, [run('git show')])).toEqual([false]);
    const more = [
      'GIT_PAGER=x git show',
      'git show > out.txt',
      'git show $(id)',
      'git show `id`',
      'git -c core.pager=x show',
      'git show --output=x',
      'git show; id',
      'git show | sh',
      'git push',
    ];
    expect(await questions(sessionId, more.map(run))).toEqual(more.map(() => true));
    const elsewhere = [
      call('run_command', { command: 'git show', cwd: '/tmp' }),
      call('run_command', { command: 'git show', env: { A: '1' } }),
      call('run_command', { command: 'git show', stdin: 'x' }),
    ];
    expect(await questions(sessionId, elsewhere)).toEqual([true, true, true]);
    const other = await live.open('ask');
    expect(await questions(other, [run('git show')])).toEqual([true]);
    const bens = await live.open('ask', live.people.ben);
    await live.say(bens, [{ calls: [run('git show')] }], live.people.ben);
    expect(await live.asked(bens)).toMatchObject({ tool: 'run_command' });
  });

  test('security 29: what stays is listed with its end, and taken back at once, in the running session too', async () => {
    const sessionId = await granted('git show');
    const { ana, ben, cho, dev, eve } = live.people;
    const list = (person: typeof ana) => live.api.call(person, 'approvals.grants', { sessionId });
    const rows = dataOf<Grant[]>(await list(ana));
    expect(rows).toMatchObject([{ kind: 'grant', words: expect.stringContaining('git show'), expiresAt: null }]);
    expect([(await list(ben)).status, (await list(eve)).status]).toEqual([404, 404]);

    const grantId = rows[0]?.id ?? '';
    const revoke = (person: typeof ana) =>
      live.api.call(person, 'approvals.revoke', { sessionId, grantId }, { type: 'mutation' });
    expect([(await revoke(ben)).status, (await revoke(eve)).status, (await revoke(dev)).status]).toEqual([
      404, 404, 403,
    ]);
    // A turn of this session waits for a person while the answer is taken back.
    await live.say(sessionId, [{ calls: [run('id')] }, { calls: [run('git show')] }]);
    const waits = await live.asked(sessionId, 2);
    expect((await revoke(ana)).status).toBe(200);
    expect((await revoke(ana)).status).toBe(404);
    expect(dataOf<Grant[]>(await list(ana))).toEqual([]);
    expect((await live.decide(waits, { decision: 'approve_once' }, cho)).status).toBe(200);
    const again = await live.asked(sessionId, 3);
    expect(again.input).toMatchObject({ command: 'git show' });
    await live.stop(sessionId);
    const audit = await live.world.database.prisma.auditEvent.findMany({ where: { action: 'approval.revoke' } });
    expect(audit).toMatchObject([{ actorId: ana.caller.userId, target: grantId, outcome: 'ok' }]);
  });
});
