import { applyMigrations, type Database, databaseOver } from '@oneslot/db';
import type { OpenPool } from '@oneslot/db/pool';
import type { BetterAuthOptions } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { type AccountStore, createAccountStore } from './account-store.ts';
import { createSecretBox, type SecretBox } from './secret-box.ts';

/** Runs one statement for the job queue on the shared pool. */
export type ExecuteSql = (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>;

export type OpenStore = {
  database: Database;
  box: SecretBox;
  accounts: AccountStore;
  authAdapter: NonNullable<BetterAuthOptions['database']>;
  executeSql: ExecuteSql;
  /** @throws when the database does not answer */
  ping(): Promise<void>;
};

/** Migrates what was opened; closes it when that fails. `migrated` names what was applied now. */
export async function openStore(
  opened: OpenPool,
  encryptionKey: Uint8Array,
): Promise<OpenStore & { migrated: string[] }> {
  const database = databaseOver(opened);
  try {
    const migrated = await applyMigrations(database.pool);
    return { ...storeOver(database, encryptionKey), migrated };
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function storeOver(database: Database, encryptionKey: Uint8Array): OpenStore {
  const { pool, prisma } = database;
  return {
    database,
    box: createSecretBox(encryptionKey),
    accounts: createAccountStore(database),
    authAdapter: prismaAdapter(prisma, { provider: 'postgresql', transaction: true }),
    executeSql: (text, values) => pool.query(text, values),
    ping: async () => {
      await pool.query('SELECT 1');
    },
  };
}
