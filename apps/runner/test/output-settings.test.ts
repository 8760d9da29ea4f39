import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEnvelopeStore } from '../src/ports/envelope-store.ts';
import { type ApiWorld, type Cast, castPeople, dataOf, openApiWorld, type Person } from './lib/api-world.ts';
import { seedSession } from './seed.ts';

let world: ApiWorld;
let cast: Cast;
beforeAll(async () => {
  world = await openApiWorld();
  cast = await castPeople(world);
});
afterAll(() => world.close());

const change = (person: Person, path: string, input: object) => world.call(person, path, input, { type: 'mutation' });
const settings = async () => dataOf(await world.call(cast.dev, 'envelopes.settings', undefined));

async function storeOutput(): Promise<{ sessionId: string; ref: string }> {
  const sessionId = await seedSession(world.stores, cast.ana.caller);
  const owner = { organizationId: cast.acme, sessionId };
  const meta = { callId: 'c1', tool: 'run_command', origin: 'x', untrusted: false, cutOffset: null };
  const writer = await createEnvelopeStore(world.stores.envelopes, owner, Date).open(meta);
  await writer.write(Buffer.from('kept\n'));
  return { sessionId, ref: (await writer.finish(null)).ref };
}
const sweepLater = () =>
  world.stores.outputs.sweepOutputs({ now: new Date(Date.now() + 20 * 86_400_000), abandonedBefore: new Date(0) });

test('everybody reads the limits, administrators set them within bounds, and it is on record', async () => {
  expect(await settings()).toMatchObject({ retentionDays: 7, quotaMib: 2_048, hold: false, ownRetention: false });
  for (const person of [cast.dev, cast.ben])
    for (const [path, input] of [
      ['envelopes.setLimits', { retentionDays: 1 }],
      ['envelopes.setHold', { hold: true }],
      ['models.setCheap', { modelId: null }],
    ] as const)
      expect((await change(person, path, input)).status).toBe(403);
  for (const wrong of [{ retentionDays: 0 }, { quotaMib: 1 }, { retentionDays: 1.5 }, { organizationId: cast.bolt }])
    expect((await change(cast.ana, 'envelopes.setLimits', wrong)).status).toBe(400);
  expect((await change(cast.ana, 'envelopes.setLimits', { retentionDays: 30, quotaMib: 128 })).status).toBe(200);
  expect(await settings()).toMatchObject({ retentionDays: 30, quotaMib: 128, ownRetention: true, ownQuota: true });
  expect((await change(cast.ana, 'envelopes.setLimits', { retentionDays: null, quotaMib: null })).status).toBe(200);
  const records = await world.database.prisma.auditEvent.findMany({ where: { organizationId: cast.acme } });
  expect(records.filter((row) => row.action === 'outputs.limits')).toHaveLength(2);
});

test('a held session keeps its outputs, and a removed one tells a reader when and why', async () => {
  const held = await storeOutput();
  const loose = await storeOutput();
  expect((await change(cast.ana, 'envelopes.setHold', { sessionId: held.sessionId, hold: true })).status).toBe(200);
  await sweepLater();
  const read = ({ sessionId, ref }: typeof held, person = cast.ana) =>
    world.call(person, 'envelopes.read', { sessionId, ref, start: 0, end: 10 });
  expect(dataOf(await read(held))).toMatchObject({ text: 'kept\n' });
  const gone = await read(loose);
  expect(gone.status).toBe(404);
  expect(gone.body).toMatch(/of run_command was removed on .*: stored outputs are kept for 7 days\./);
  // Who may not see the session is told what they are told of any.
  expect((await read(loose, cast.eve)).body).not.toContain('removed');
});

test('the model for summaries is one that is there and speaks', async () => {
  const cheap = async () => dataOf(await world.call(cast.dev, 'models.cheap', undefined));
  expect(await cheap()).toEqual({ modelId: null });
  expect((await change(cast.ana, 'models.setCheap', { modelId: 'nobody' })).status).toBe(404);
  expect((await change(cast.ana, 'models.setCheap', { modelId: 'tour' })).status).toBe(400);
  await world.stores.models.setCheapModel(cast.acme, 'removed-since');
  expect(await cheap()).toEqual({ modelId: null });
  expect((await change(cast.ana, 'models.setCheap', { modelId: null })).status).toBe(200);
});
