import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, HostError } from '@oneslot/core';
import type { Auth } from './auth.ts';
import type { AccountStore } from './store/account-store.ts';
import type { SetupRequest } from './trpc.ts';

export type Setup = {
  needed(): Promise<boolean>;
  /** A new one-time token while nobody owns the installation, else null; an older token is void. */
  issue(): Promise<string | null>;
  /** Makes the owner and the organization. @throws HostError forbidden when the token is not the printed one */
  claim(request: SetupRequest): Promise<void>;
};

const validMs = 7 * 24 * 3_600_000;

type SetupDeps = { accounts: AccountStore; auth: Pick<Auth, 'hashPassword'>; clock: Pick<Clock, 'now'> };

export function createSetup({ accounts, auth, clock }: SetupDeps): Setup {
  const state = { claimed: false };

  async function needed(): Promise<boolean> {
    // Once owned, always owned: the question is asked on every visit of the sign-in page.
    state.claimed ||= (await accounts.countUsers()) > 0;
    return !state.claimed;
  }

  return {
    needed,
    issue: async () => {
      if (!(await needed())) return null;
      const token = randomBytes(24).toString('base64url');
      await accounts.saveSetupToken(hashOf(token), new Date(clock.now() + validMs));
      return token;
    },
    claim: async (request) => {
      const stored = await accounts.findSetupToken(new Date(clock.now()));
      const given = hashOf(request.token);
      if (!stored || !timingSafeEqual(Buffer.from(stored), Buffer.from(given))) throw wrongToken();
      const { name, organizationName } = request;
      const owner = {
        name,
        organizationName,
        email: request.email.toLowerCase(),
        passwordHash: await auth.hashPassword(request.password),
      };
      if (!(await accounts.claimInstallation(given, owner))) throw wrongToken();
    },
  };
}

function wrongToken(): HostError {
  return new HostError('forbidden', 'This setup link is not valid any more.', {
    next: 'Open the link that the terminal printed at the last start.',
  });
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
