import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { PrismaClient } from './generated/client.ts';
import { listen } from './listen.ts';
import { openFolderPool, openServerPool } from './open-pool.ts';

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
export async function openDatabase(options: { databaseUrl: string } | { dataDir: string }): Promise<Database> {
  const kind = 'databaseUrl' in options ? 'postgres' : 'pglite';
  const { pool, close } =
    'databaseUrl' in options ? await openServerPool(options.databaseUrl) : await openFolderPool(options.dataDir);
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool),
    // On PGlite everything queues for one connection, so a busy moment is not a dead database.
    transactionOptions: { maxWait: 20_000, timeout: 20_000 },
  });
  return {
    prisma,
    pool,
    kind,
    listen: async (channel, onMessage) =>
      'databaseUrl' in options ? listen(options.databaseUrl, channel, onMessage) : async () => {},
    close: async () => {
      await prisma.$disconnect();
      await close();
    },
  };
}
