import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from './generated/client.ts';
import { listen } from './listen.ts';
import { type DatabasePlace, type OpenPool, openPool } from './open-pool.ts';

export type { Pool, PoolClient } from 'pg';
export { applyMigrations } from './apply-migrations.ts';
export { Prisma } from './generated/client.ts';
export type { PrismaClient };

export type DatabaseKind = 'pglite' | 'postgres';
export type Database = {
  prisma: PrismaClient;
  pool: Pool;
  kind: DatabaseKind;
  /** NOTIFY of other processes; the embedded database has none, so there it hears nothing. */
  listen(channel: string, onMessage: (payload: string | null) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

/** The one client. `pool` carries Prisma, the job queue and raw SQL; on PGlite it holds a single connection. */
export async function openDatabase(place: DatabasePlace): Promise<Database> {
  return databaseOver(await openPool(place));
}

export function databaseOver({ pool, databaseUrl, close }: OpenPool): Database {
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    // On PGlite everything queues for one connection, so a busy moment is not a dead database.
    transactionOptions: { maxWait: 20_000, timeout: 20_000 },
  });
  return {
    prisma,
    pool,
    kind: databaseUrl === null ? 'pglite' : 'postgres',
    listen: async (channel, onMessage) =>
      databaseUrl === null ? async () => {} : listen(databaseUrl, channel, onMessage),
    close: async () => {
      await prisma.$disconnect();
      await close();
    },
  };
}
