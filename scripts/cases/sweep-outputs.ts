import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEnvelopeStore } from '../../apps/runner/src/ports/envelope-store.ts';
import { createEnvelopeRows } from '../../apps/runner/src/store/envelope-store.ts';
import { createOutputStore } from '../../apps/runner/src/store/output-store.ts';
import type { StoredOutput } from '../../packages/core/test/scores/score-outputs.ts';
import { applyMigrations } from '../../prisma/apply-migrations.ts';
import { type Database, openDatabase } from '../../prisma/client.ts';

const dayMs = 86_400_000;

/** Stores the outputs in an embedded database of their own, lets the product sweep it, and says which are gone. */
export async function sweepStored(stored: readonly StoredOutput[], retentionDays: number): Promise<number[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'oneslot-cases-'));
  const database = await openDatabase({ dataDir });
  try {
    await applyMigrations(database.pool);
    return await sweepIn(database, stored, retentionDays);
  } finally {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function sweepIn(database: Database, stored: readonly StoredOutput[], retentionDays: number): Promise<number[]> {
  const now = new Date();
  const limits = { retentionDays, quotaMib: 64 };
  const rows = createEnvelopeRows(database, limits);
  const owner = await makeOwner(database);
  const refs: string[] = [];
  for (const output of stored) {
    const ref = await storeOne(database, owner, limits, output);
    const createdAt = new Date(now.getTime() - output.ageDays * dayMs);
    await database.prisma.envelope.update({ where: { id: ref }, data: { createdAt } });
    refs.push(ref);
  }
  await createOutputStore(database, limits).sweepOutputs({ now, abandonedBefore: new Date(0) });
  const kept = await Promise.all(refs.map((ref) => rows.envelopeInfo(owner.sessionId, ref)));
  return kept.flatMap((info, index) => (info === null ? [index] : []));
}

async function storeOne(
  database: Database,
  owner: { organizationId: string; sessionId: string },
  limits: { retentionDays: number; quotaMib: number },
  output: StoredOutput,
): Promise<string> {
  const meta = { callId: 'c1', tool: 'run_command', origin: 'run_command', untrusted: false, cutOffset: null };
  if (output.foreign) {
    // A row of another hand: it has no ref that we drew.
    const id = `foreign_${randomUUID()}`;
    await database.prisma.envelope.create({ data: { id, ...owner, ...meta, state: 'complete' } });
    return id;
  }
  const store = createEnvelopeStore(createEnvelopeRows(database, limits), owner, Date);
  const writer = await store.open(meta);
  await writer.write(Buffer.from('kept\n'));
  return (await writer.finish(null)).ref;
}

async function makeOwner({ prisma }: Database): Promise<{ organizationId: string; sessionId: string }> {
  const { id: organizationId } = await prisma.organization.create({ data: { id: 'cases', name: 'c', slug: 'c' } });
  const session = { organizationId, ownerId: 'nobody', title: 'cases' };
  const { id: sessionId } = await prisma.session.create({ data: session, select: { id: true } });
  return { organizationId, sessionId };
}
