import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf, type Person } from './lib/api-world.ts';
import { expectNotBuilt } from './lib/entry-points.ts';
import { call, type LiveWorld, openLiveWorld, run } from './lib/live-world.ts';

// Numbers are those of the adversarial tests, section J: stored outputs, asked for by model and by people.

describe('stored outputs', { timeout: 120_000 }, () => {
  let live: LiveWorld;
  beforeAll(async () => {
    live = await openLiveWorld();
  }, 180_000);
  afterAll(() => live.close(), 60_000);

  const play = async (sessionId: string, one: ReturnType<typeof call>) => {
    const turns = (await live.all(sessionId, 'turn-finished')).length;
    await live.say(sessionId, [{ calls: [one] }]);
    await live.ended(sessionId, turns + 1);
    const result = (await live.all(sessionId, 'call-finished')).at(-1)?.result;
    if (!result) throw new Error('The call has no result.');
    return result;
  };
  const spill = async (sessionId: string, from: number) =>
    (await play(sessionId, run(`seq ${from} ${from + 20_000}`))).outputRef ?? '';
  const readAs = (person: Person, sessionId: string, ref: string, start = 0, end = 100) =>
    live.api.call(person, 'envelopes.read', { sessionId, ref, start, end });

  test('security 99: guessed, foreign, path-like and overflowing refs are not found, alike for model and people', async () => {
    expectNotBuilt('share page', 'MCP tool');
    const { ana, ben, eve } = live.people;
    const [mine, other] = [await live.open('autopilot'), await live.open('autopilot')];
    const ref = await spill(mine, 1);
    expect(ref).toMatch(/^out_[0-9a-z]{26,32}$/);
    const unknown = `out_${'0'.repeat(ref.length - 4)}`;

    const told = async (bad: string) =>
      (await play(other, call('retrieve_tool_result', { ref: bad }))).content.replaceAll(bad, 'REF');
    const [first, ...rest] = [await told(unknown), await told(ref), await told(`${ref.slice(0, -1)}!`)];
    expect(first).toMatch(/^\[not_found\]/);
    for (const one of rest) expect(one).toBe(first);
    for (const bad of [`../${mine}/${ref}`, `${ref}/../${ref}`, '__proto__', '%2e%2e']) {
      const result = await play(other, call('retrieve_tool_result', { ref: bad }));
      expect([bad, result.ok, result.content.includes('19999')]).toEqual([bad, false, false]);
    }
    const past = await play(mine, call('retrieve_tool_result', { ref, mode: 'bytes', offset: 2 ** 31 - 1 }));
    expect(past.content).not.toContain('20001');

    const answers = await Promise.all([
      readAs(ana, other, ref),
      readAs(ana, other, unknown),
      readAs(ben, mine, ref),
      readAs(eve, mine, ref),
      readAs(eve, mine, unknown),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(answers[0]?.body).toBe(answers[1]?.body);
    expect(answers[3]?.body).toBe(answers[4]?.body);
    expect((await readAs(ana, mine, ref)).status).toBe(200);
    for (const bad of [`../${ref}`, `${ref}/x`, '']) expect((await readAs(ana, mine, bad)).status).toBe(400);
    expect((await readAs(ana, mine, ref, 0, 2 ** 40)).status).toBe(400);
    const wide = dataOf<{ text: string }>(await readAs(ana, mine, ref, 2_000_000_000, 2_000_000_100));
    expect(wide.text).toBe('');
  });

  test('security 100: sessions that store in the same moment keep their own bytes under their own refs', async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => live.open('autopilot')));
    const refs = await Promise.all(sessions.map((sessionId, index) => spill(sessionId, index * 100_000 + 100_000)));
    expect(new Set(refs).size).toBe(4);
    for (const [index, sessionId] of sessions.entries()) {
      const { text } = dataOf<{ text: string }>(await readAs(live.people.ana, sessionId, refs[index] ?? ''));
      expect(text.split('\n')[0]).toBe(String(index * 100_000 + 100_000));
    }
  });

  test('security 100: where nothing can be stored the pointer is withheld, and model and operator are told', async () => {
    const sessionId = await live.open('autopilot');
    const { pool } = live.world.database;
    const before = live.world.problems.length;
    await pool.query('ALTER TABLE "EnvelopeChunk" RENAME TO "Away"');
    const result = await play(sessionId, run('seq 1 20000')).finally(() =>
      pool.query('ALTER TABLE "Away" RENAME TO "EnvelopeChunk"'),
    );
    expect(result).toMatchObject({ outputRef: null, truncated: true });
    expect(result.content).not.toContain('ref=');
    expect(result.content + result.warnings.join('')).toMatch(/not (?:kept|stored|saved)|could not be/i);
    expect(live.world.problems.length).toBeGreaterThan(before);
    live.world.problems.splice(before);
  });

  test('security 100: a full quota keeps what is held, and says that the new output was not kept', async () => {
    const { ana } = live.people;
    const organizationId = ana.caller.organizationId;
    const [held, late] = [await live.open('autopilot'), await live.open('autopilot')];
    const ref = await spill(held, 1);
    const hold = (on: boolean) =>
      live.api.call(ana, 'envelopes.setHold', { sessionId: held, hold: on }, { type: 'mutation' });
    expect((await hold(true)).status).toBe(200);
    const sweep = () =>
      live.world.wired.stores.outputs.sweepOutputs({
        now: new Date(Date.now() + 30 * 86_400_000),
        abandonedBefore: new Date(0),
      });
    await sweep();
    expect((await readAs(ana, held, ref)).status).toBe(200);
    // Less than one output: what is held fills it.
    await live.world.wired.stores.outputs.setOutputLimits(organizationId, { quotaMib: 0 });
    const noise = randomBytes(40_000).toString('base64');
    await live.write(late, 'noise.txt', `${noise.replace(/(.{100})/g, '$1\n')}\n`);
    const result = await play(late, run('cat noise.txt')).finally(() =>
      live.world.wired.stores.outputs.setOutputLimits(organizationId, { quotaMib: null }),
    );
    expect(result).toMatchObject({ outputRef: null, truncated: true });
    expect((await readAs(ana, held, ref)).status).toBe(200);
    expect((await hold(false)).status).toBe(200);
    await sweep();
    const gone = await readAs(ana, held, ref);
    expect([gone.status, gone.body.includes('removed on')]).toEqual([404, true]);
    live.world.problems.length = 0;
  });
});
