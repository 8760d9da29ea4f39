import { randomBytes } from 'node:crypto';
import { type EnvelopeMeta, HostError } from '@oneslot/core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedMember, seedOrganization, seedSession } from '../../test/seed.ts';
import { databaseKinds, openTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createEnvelopeStore } from '../ports/envelope-store.ts';
import type { Caller, Stores } from './contract.ts';
import { createSecretBox } from './secret-box.ts';
import { createStores } from './stores.ts';

const dayMs = 86_400_000;
const now = new Date();
const never = new Date(0);
const meta: EnvelopeMeta = { callId: 'c1', tool: 'run_command', origin: 'x', untrusted: false, cutOffset: null };

describe.each(databaseKinds)('stored outputs on %s', (kind) => {
  let opened: TestDatabase;
  let stores: Stores;
  let ana: Caller;
  let sessionId: string;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    stores = createStores(opened.database, createSecretBox(randomBytes(32)), { retentionDays: 7, quotaMib: 1 });
  });
  beforeEach(async () => {
    ana = await seedMember(opened.database, await seedOrganization(opened.database, 'acme'), 'ana', 'owner');
    sessionId = await seedSession(stores, ana);
  });
  afterAll(() => opened.drop());

  const open = (session = sessionId, changes: Partial<EnvelopeMeta> = {}) =>
    createEnvelopeStore(stores.envelopes, { organizationId: ana.organizationId, sessionId: session }, Date).open({
      ...meta,
      ...changes,
    });
  const store = async (bytes: Buffer, options: { ageDays?: number; session?: string; kind?: 'transcript' } = {}) => {
    const writer = await open(options.session, options.kind ? { kind: options.kind } : {});
    await writer.write(bytes);
    const { ref } = await writer.finish(null);
    const createdAt = new Date(now.getTime() - (options.ageDays ?? 0) * dayMs);
    await opened.database.prisma.envelope.update({ where: { id: ref }, data: { createdAt } });
    return ref;
  };
  const has = async (ref: string, session = sessionId) => (await stores.envelopes.envelopeInfo(session, ref)) !== null;
  const sweep = (at = now) => stores.outputs.sweepOutputs({ now: at, abandonedBefore: never });
  const chunksOf = (ref: string) => opened.database.prisma.envelopeChunk.count({ where: { envelopeId: ref } });
  /** Random, so that compression gains nothing and sizes are what they seem. */
  const ofKib = (kib: number) => randomBytes(kib * 1024);

  test('what is past its days goes, newer outputs and texts of the conversation stay', async () => {
    const old = await store(ofKib(1), { ageDays: 8 });
    const fresh = await store(ofKib(1), { ageDays: 6 });
    const text = await store(ofKib(1), { ageDays: 800, kind: 'transcript' });
    await sweep();
    expect([await has(old), await has(fresh), await has(text)]).toEqual([false, true, true]);
    expect([await chunksOf(old), await chunksOf(text)]).toEqual([0, 1]);
    const gone = await stores.envelopes.envelopeGone(sessionId, old);
    expect(gone).toEqual({
      why: 'expired',
      at: now.getTime(),
      keptDays: 7,
      tool: 'run_command',
      callId: 'c1',
      title: null,
    });
    expect(await stores.envelopes.envelopeGone(sessionId, fresh)).toBeNull();
  });

  test('an organization chooses its own days', async () => {
    const ref = await store(ofKib(1), { ageDays: 8 });
    await stores.outputs.setOutputLimits(ana.organizationId, { retentionDays: 30 });
    await sweep();
    expect(await has(ref)).toBe(true);
    expect(await stores.outputs.outputSettings(ana.organizationId)).toMatchObject({
      retentionDays: 30,
      ownRetention: true,
      quotaMib: 1,
      ownQuota: false,
      outputs: 1,
    });
    await stores.outputs.setOutputLimits(ana.organizationId, { retentionDays: null });
    await sweep();
    expect(await has(ref)).toBe(false);
  });

  test('security 100: a legal hold keeps outputs, of a session or of the organization, until it is lifted', async () => {
    const other = await seedSession(stores, ana);
    const held = await store(ofKib(1), { ageDays: 80 });
    const loose = await store(ofKib(1), { ageDays: 80, session: other });
    const owner = { organizationId: ana.organizationId, sessionId };
    await stores.outputs.setOutputHold(owner, true);
    await stores.outputs.setOutputHold({ ...owner, sessionId: null }, true);
    await sweep();
    expect([await has(held), await has(loose, other)]).toEqual([true, true]);
    await stores.outputs.setOutputHold({ ...owner, sessionId: null }, false);
    await sweep();
    expect([await has(held), await has(loose, other)]).toEqual([true, false]);
    await stores.outputs.setOutputHold(owner, false);
    await sweep();
    expect(await has(held)).toBe(false);
  });

  test('over quota the oldest go first, on write too, and say that they were evicted', async () => {
    const oldest = await store(ofKib(400), { ageDays: 3 });
    const older = await store(ofKib(400), { ageDays: 2 });
    const newest = await store(ofKib(400));
    expect([await has(oldest), await has(older), await has(newest)]).toEqual([false, true, true]);
    expect(await stores.envelopes.envelopeGone(sessionId, oldest)).toMatchObject({ why: 'evicted' });
  });

  test('security 100: what does not fit is refused, and nothing else goes for it', async () => {
    const held = await store(ofKib(700));
    await stores.outputs.setOutputHold({ organizationId: ana.organizationId, sessionId }, true);
    const other = await seedSession(stores, ana);
    const loose = await store(ofKib(200), { session: other });
    const writer = await open(other);
    await writer.write(ofKib(600));
    await expect(writer.finish(null)).rejects.toThrow(HostError);
    await writer.abort();
    expect([await has(held), await has(loose, other)]).toEqual([true, true]);
    expect((await stores.outputs.outputSettings(ana.organizationId)).outputs).toBe(2);
  });

  test('a quota that was lowered is kept by the sweep', async () => {
    await stores.outputs.setOutputLimits(ana.organizationId, { quotaMib: 64 });
    const first = await store(ofKib(800), { ageDays: 1 });
    const second = await store(ofKib(800));
    await stores.outputs.setOutputLimits(ana.organizationId, { quotaMib: null });
    expect(await sweep()).toMatchObject({ evicted: 1 });
    expect([await has(first), await has(second)]).toEqual([false, true]);
  });

  test('what a crash left half-written goes, what is being written stays', async () => {
    const dead = await open();
    await dead.write(ofKib(300));
    await opened.database.prisma.envelope.update({
      where: { id: dead.ref },
      data: { createdAt: new Date(now.getTime() - dayMs) },
    });
    const alive = await open();
    await alive.write(ofKib(300));
    const swept = await stores.outputs.sweepOutputs({ now, abandonedBefore: new Date(now.getTime() - 3_600_000) });
    expect(swept).toMatchObject({ abandoned: 1 });
    await expect(dead.finish(null)).rejects.toThrow(/removed while it was written/);
    expect(await has((await alive.finish(null)).ref)).toBe(true);
    expect(await chunksOf(dead.ref)).toBe(0);
  });

  test('security 99: a removed ref of another session answers like one that never was', async () => {
    const ref = await store(ofKib(1), { ageDays: 8 });
    await sweep();
    const other = await seedSession(stores, ana);
    expect(await stores.envelopes.envelopeGone(other, ref)).toBeNull();
    expect(await stores.envelopes.envelopeGone(other, 'out_00000000000000000000000000000000')).toBeNull();
  });

  test('a tombstone is forgotten after some months', async () => {
    const ref = await store(ofKib(1), { ageDays: 8 });
    await sweep();
    await sweep(new Date(now.getTime() + 89 * dayMs));
    expect(await stores.envelopes.envelopeGone(sessionId, ref)).not.toBeNull();
    await sweep(new Date(now.getTime() + 90 * dayMs));
    expect(await stores.envelopes.envelopeGone(sessionId, ref)).toBeNull();
  });

  test('chunks are stored compressed and read byte for byte, across their borders', async () => {
    const text = Buffer.from(Array.from({ length: 60_000 }, (_, index) => `line ${index} ß\n`).join(''));
    const bytes = Buffer.concat([text, randomBytes(300_000)]);
    const ref = await store(bytes);
    const row = await opened.database.prisma.envelope.findUniqueOrThrow({ where: { id: ref } });
    expect(row.bytes).toBe(bytes.length);
    expect(row.storedBytes).toBeLessThan(bytes.length - text.length / 2);
    for (const [start, end] of [
      [0, bytes.length],
      [262_100, 262_200],
      [bytes.length - 5, bytes.length + 5],
    ] as const)
      expect(bytes.subarray(start, end).equals(await stores.envelopes.readEnvelope(sessionId, ref, start, end))).toBe(
        true,
      );
  });
});
