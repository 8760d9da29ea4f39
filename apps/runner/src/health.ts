import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

type HealthDeps = {
  ping(): Promise<void>;
  report(problem: { message: string; cause: unknown }): void;
};

/** Alive, ready, and what a scraper on this machine may read. No version anywhere: strangers learn nothing. */
export function registerHealth(server: FastifyInstance, deps: HealthDeps): void {
  const state = { ready: true };
  server.get('/healthz', () => ({ status: 'ok' }));

  server.get('/readyz', async (_request, reply) => {
    try {
      await deps.ping();
      state.ready = true;
      return { status: 'ready' };
    } catch (cause) {
      // Probes come every few seconds and need only the verdict; the operator reads once why.
      if (state.ready) deps.report({ message: 'The database does not answer.', cause });
      state.ready = false;
      return reply.code(503).send({ status: 'database unavailable' });
    }
  });

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registry.removeSingleMetric('nodejs_version_info');
  const durations = new Histogram({
    name: 'oneslot_http_request_duration_seconds',
    help: 'Time until the answer was complete, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  server.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    durations.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1_000);
  });
  server.get('/metrics', async (request, reply) => {
    if (!isLocal(request)) return reply.code(404).send({ error: 'not_found' });
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** A reverse proxy on this machine speaks for strangers; it says so by forwarding headers. */
function isLocal(request: FastifyRequest): boolean {
  const forwarded = request.headers.forwarded ?? request.headers['x-forwarded-for'];
  return forwarded === undefined && loopback.has(request.socket.remoteAddress ?? '');
}
