import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@oneslot/core';
import type { FastifyRequest } from 'fastify';
import type { Auth } from './auth.ts';
import type { Caller, Me, Stores } from './store/contract.ts';

export type SignedIn = { authSessionId: string; caller: Caller; me: Me; csrfToken: string };
export type Identity = {
  /** Asked once a request, however many hooks and procedures want to know. */
  identify(request: FastifyRequest): Promise<SignedIn | null>;
  reauthorize(authSessionId: string): Promise<Caller | null>;
  isCsrfToken(signedIn: SignedIn, header: unknown): boolean;
};

type IdentityDeps = { auth: Auth; members: Stores['members']; csrfKey: Buffer; clock: Pick<Clock, 'now'> };

export function createIdentity(deps: IdentityDeps): Identity {
  const now = () => new Date(deps.clock.now());
  const known = new WeakMap<FastifyRequest, Promise<SignedIn | null>>();

  async function look(request: FastifyRequest): Promise<SignedIn | null> {
    const authSessionId = await deps.auth.authSessionId(request.headers);
    if (authSessionId === null) return null;
    const me = await deps.members.findSignedIn(authSessionId, now());
    if (!me) return null;
    return { authSessionId, me, caller: callerOf(me), csrfToken: tokenFor(deps.csrfKey, authSessionId) };
  }

  return {
    identify: (request) => {
      const answer = known.get(request) ?? look(request);
      known.set(request, answer);
      return answer;
    },
    reauthorize: async (authSessionId) => {
      const me = await deps.members.findSignedIn(authSessionId, now());
      return me && callerOf(me);
    },
    isCsrfToken: ({ csrfToken }, header) => {
      if (typeof header !== 'string') return false;
      const given = Buffer.from(header);
      const right = Buffer.from(csrfToken);
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}

function callerOf(me: Me): Caller {
  return { organizationId: me.organization.id, userId: me.user.id, role: me.role, approver: me.approver };
}

/** Bound to the sign-in: a token read in one session is worth nothing in another. */
function tokenFor(key: Buffer, authSessionId: string): string {
  return createHmac('sha256', key).update(authSessionId).digest('base64url');
}
