import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AllowedOrigins } from './allowed-origins.ts';
import type { Identity } from './identity.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whatever changes something comes from our own page: exact Origin, the one content type, and for a signed-in
 * person the token a foreign page cannot read. Without a sign-in the procedures answer for themselves.
 */
export function mutationGuard(deps: { origins: AllowedOrigins; identity: Identity; contentType: string }) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (safeMethods.has(request.method)) return undefined;
    if (!deps.origins.isOrigin(request.headers.origin))
      return refuse(reply, 403, 'This page may not do that: its origin is not ours.');
    if (mediaType(request) !== deps.contentType) return refuse(reply, 415, `The body must be ${deps.contentType}.`);
    const signedIn = await deps.identity.identify(request);
    if (signedIn && !deps.identity.isCsrfToken(signedIn, request.headers['x-csrf-token'])) {
      return refuse(reply, 403, 'The x-csrf-token header is missing or wrong. Reload the page.');
    }
    return undefined;
  };
}

function mediaType(request: FastifyRequest): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ error: message });
}
