import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Identity } from './identity.ts';
import { sessionId } from './routers/inputs.ts';
import type { Stores } from './store/contract.ts';

const inputOfStream = z.object({ json: z.object({ sessionId: sessionId.optional() }).nullish() });

/**
 * tRPC opens a stream before it asks whether it may, and tells in it what went wrong. A stranger gets no stream at
 * all, so that not even a heartbeat tells that something is there.
 */
export function streamGuard(deps: { identity: Identity; sessions: Pick<Stores['sessions'], 'findSession'> }) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.url.split('?', 1)[0] !== '/api/trpc/events') return undefined;
    const signedIn = await deps.identity.identify(request);
    if (!signedIn) return reply.code(401).send({ error: 'Please sign in.' });
    const wanted = sessionOf(request.query);
    if (wanted === undefined) return undefined;
    const session = await deps.sessions.findSession(signedIn.caller, wanted);
    return session ? undefined : reply.code(404).send({ error: 'No session with this id.' });
  };
}

/** What cannot be read is left to the procedure, which refuses it. */
function sessionOf(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null || !('input' in query) || typeof query.input !== 'string')
    return undefined;
  try {
    return inputOfStream.safeParse(JSON.parse(query.input)).data?.json?.sessionId;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
