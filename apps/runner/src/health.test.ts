import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { registerHealth } from './health.ts';

test('the operator reads once why the database does not answer, and again when it fails anew', async () => {
  const server = fastify();
  const reported: unknown[] = [];
  let failing: Error | null = null;
  registerHealth(server, {
    ping: async () => {
      if (failing) throw failing;
    },
    report: ({ cause }) => reported.push(cause),
  });
  const probe = async () => (await server.inject('/readyz')).statusCode;
  const outages = [new Error('connection refused'), new Error('too many clients')];
  for (const outage of outages) {
    failing = outage;
    expect([await probe(), await probe()]).toEqual([503, 503]);
    failing = null;
    expect(await probe()).toBe(200);
  }
  expect(reported).toEqual(outages);
  await server.close();
});
