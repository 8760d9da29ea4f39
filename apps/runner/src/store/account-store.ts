import { randomUUID } from 'node:crypto';
import type { Database } from '@oneslot/db';

export type NewOwner = { name: string; email: string; passwordHash: string; organizationName: string };
export type AccountStore = {
  countUsers(): Promise<number>;
  /** Replaces every earlier token. */
  saveSetupToken(hash: string, expiresAt: Date): Promise<void>;
  findSetupToken(now: Date): Promise<string | null>;
  /** Uses the token up and makes owner, account, organization and membership together; false when it was used already. */
  claimInstallation(tokenHash: string, owner: NewOwner): Promise<boolean>;
};

const setupIdentifier = 'oneslot-setup';

export function createAccountStore({ prisma }: Database): AccountStore {
  return {
    countUsers: () => prisma.user.count(),
    saveSetupToken: async (hash, expiresAt) => {
      await prisma.$transaction([
        prisma.verification.deleteMany({ where: { identifier: setupIdentifier } }),
        prisma.verification.create({ data: { id: randomUUID(), identifier: setupIdentifier, value: hash, expiresAt } }),
      ]);
    },
    findSetupToken: async (now) => {
      const row = await prisma.verification.findFirst({
        where: { identifier: setupIdentifier, expiresAt: { gt: now } },
      });
      return row?.value ?? null;
    },
    claimInstallation: (tokenHash, owner) =>
      prisma.$transaction(async (tx) => {
        // The second of two browsers waits here for the first and then finds nothing to delete.
        const used = await tx.verification.deleteMany({ where: { identifier: setupIdentifier, value: tokenHash } });
        if (used.count !== 1 || (await tx.user.count()) > 0) return false;
        const organization = { id: randomUUID(), name: owner.organizationName, slug: slugOf(owner.organizationName) };
        const userId = randomUUID();
        await tx.user.create({
          data: {
            id: userId,
            name: owner.name,
            email: owner.email,
            emailVerified: true,
            accounts: {
              create: {
                id: randomUUID(),
                accountId: userId,
                providerId: 'credential',
                password: owner.passwordHash,
              },
            },
            members: {
              create: { id: randomUUID(), role: 'owner', approver: true, organization: { create: organization } },
            },
          },
        });
        return true;
      }),
  };
}

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return slug.slice(0, 60) || 'organization';
}
