import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AllowedOrigins } from './allowed-origins.ts';
import { registerArchives } from './archive-routes.ts';
import { type Auth, registerAuth } from './auth.ts';
import { registerHealth } from './health.ts';
import type { Identity } from './identity.ts';
import { mutationGuard } from './mutation-guard.ts';
import { appRouter } from './router.ts';
import type { RunnerServices } from './services.ts';
import type { EventLog } from './sessions/event-log.ts';
import type { Setup } from './setup-token.ts';
import type { Stores } from './store/contract.ts';
import { streamGuard } from './stream-guard.ts';
import type { RunnerContext } from './trpc.ts';
import { registerWebProxy } from './web-proxy.ts';

export type ServerDeps = {
  stores: Stores;
  log: EventLog;
  services: RunnerServices;
  auth: Auth;
  identity: Identity;
  setup: Setup;
  origins: AllowedOrigins;
  clock: RunnerContext['clock'];
  installation: RunnerContext['installation'];
  ping(): Promise<void>;
  web: { url: string; isDevelopment: boolean; isSecure: boolean } | null;
  /** The operator's log: causes, never content. */
  report(problem: { message: string; cause: unknown }): void;
};

/** The one public origin. Order matters: hosts are checked before anything, and the web app comes last. */
export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const server = fastify({
    // Batched tRPC calls carry all their names in one path segment.
    routerOptions: { maxParamLength: 5_000 },
    // Open event streams would keep close() waiting for ever.
    forceCloseConnections: true,
    logger: false,
  });
  server.addHook('onRequest', async (request, reply) => refuseForeign(request, reply, deps.origins));
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply, deps));

  registerHealth(server, deps);
  registerAuth(server, deps.auth, deps.origins);
  await server.register(async (scope) => {
    scope.addHook('preHandler', mutationGuard({ ...deps, contentType: 'application/json' }));
    scope.addHook('preHandler', streamGuard({ identity: deps.identity, sessions: deps.stores.sessions }));
    await scope.register(fastifyTRPCPlugin, {
      prefix: '/api/trpc',
      trpcOptions: {
        router: appRouter,
        createContext: ({ req, res }: { req: FastifyRequest; res: FastifyReply }) => createContext(deps, req, res),
      },
    });
  });
  await registerArchives(server, deps);
  server.all('/api/*', (_request, reply) => reply.code(404).send({ error: 'not_found' }));
  if (deps.web) await registerWebProxy(server, deps.web);
  return server;
}

async function createContext(deps: ServerDeps, request: FastifyRequest, reply: FastifyReply): Promise<RunnerContext> {
  const signedIn = await deps.identity.identify(request);
  return {
    signedIn,
    reauthorize: async () => signedIn && deps.identity.reauthorize(signedIn.authSessionId),
    stores: deps.stores,
    log: deps.log,
    services: deps.services,
    setup: {
      needed: deps.setup.needed,
      claim: async (claim) => {
        await deps.setup.claim(claim);
        for (const cookie of await deps.auth.signIn(claim.email.toLowerCase(), claim.password))
          reply.header('set-cookie', cookie);
      },
    },
    clock: deps.clock,
    installation: deps.installation,
    reportBug: (cause, path) => deps.report({ message: `procedure ${path} failed`, cause }),
  };
}

/** A name that resolves here is not yet ours, and a full address as target asks for a proxy, which this is not. */
async function refuseForeign(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: AllowedOrigins,
): Promise<FastifyReply | undefined> {
  if (!request.url.startsWith('/')) return reply.code(400).type('text/plain').send('Only paths are served here.\n');
  if (origins.isHost(request.headers.host)) return undefined;
  const hint =
    'This address is not one of this server. Its operator can set ONESLOT_PUBLIC_URL to the address people use.\n';
  return reply.code(421).type('text/plain').send(hint);
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, deps: ServerDeps): FastifyReply {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500)
    return reply.code(status).send({ error: error instanceof Error ? error.message : 'refused' });
  deps.report({ message: `${request.method} ${request.routeOptions.url ?? 'unknown route'} failed`, cause: error });
  return reply.code(500).send({ error: 'internal' });
}
