import { Readable } from 'node:stream';
import { HostError, ToolError } from '@oneslot/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AllowedOrigins } from './allowed-origins.ts';
import type { Identity } from './identity.ts';
import { mutationGuard } from './mutation-guard.ts';
import { sessionId } from './routers/inputs.ts';
import { requireOwnSession, requireSession } from './routers/own-session.ts';
import type { RunnerServices } from './services.ts';
import type { Stores } from './store/contract.ts';
import { notFound } from './trpc.ts';

const contentType = 'application/x-tar';
const limitBytes = 1024 * 1024 * 1024;

const statuses: Partial<Record<string, number>> = {
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unavailable: 503,
  sandbox_lost: 503,
  internal: 500,
};

type ArchiveDeps = { identity: Identity; origins: AllowedOrigins; stores: Stores; services: RunnerServices };

/** The workspace of a session as one tar, in and out; bodies are streams, so these are no procedures. */
export async function registerArchives(server: FastifyInstance, deps: ArchiveDeps): Promise<void> {
  await server.register(async (scope) => {
    scope.addContentTypeParser(contentType, (_request, payload, done) => done(null, payload));
    scope.addHook('preHandler', mutationGuard({ ...deps, contentType }));

    scope.get('/api/sessions/:id/archive', (request, reply) =>
      answering(reply, async () => {
        const session = await requireSession(await contextOf(deps, request), sessionOf(request));
        const tar = Readable.from(await deps.services.sandboxes.exportArchive(session.id), { objectMode: false });
        const name = `attachment; filename="${session.id}.tar"`;
        return reply
          .type(contentType)
          .headers({ 'content-disposition': name, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
          .send(tar);
      }),
    );

    scope.put('/api/sessions/:id/archive', { bodyLimit: limitBytes }, (request, reply) =>
      answering(reply, async () => {
        const session = await requireOwnSession(await contextOf(deps, request), sessionOf(request));
        if (!(request.body instanceof Readable)) throw new HostError('invalid', 'The body must be a tar archive.');
        await deps.services.sandboxes.importArchive(session.id, limited(request.body));
        return reply.send({ ok: true });
      }),
    );
  });
}

async function contextOf({ identity, stores }: ArchiveDeps, request: FastifyRequest) {
  const signedIn = await identity.identify(request);
  if (!signedIn) throw new HostError('unauthorized', 'Please sign in.');
  return { stores, caller: signedIn.caller };
}

function sessionOf({ params }: FastifyRequest): string {
  const wanted =
    typeof params === 'object' && params !== null && 'id' in params ? sessionId.safeParse(params.id) : null;
  if (!wanted?.success) throw notFound('session');
  return wanted.data;
}

/** A streamed body is counted by nobody else. */
async function* limited(body: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new HostError('invalid', 'The body must be a tar archive.');
    bytes += chunk.length;
    if (bytes > limitBytes) throw new HostError('too_large', 'An archive holds at most 1 GiB.');
    yield chunk;
  }
}

async function answering(reply: FastifyReply, answer: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof HostError || error instanceof ToolError)) throw error;
    return reply.code(statuses[error.code] ?? 400).send({ error: error.message, next: error.next ?? null });
  }
}
