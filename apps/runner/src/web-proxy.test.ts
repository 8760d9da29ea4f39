import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../scripts/free-port.ts';
import { registerWebProxy } from './web-proxy.ts';

describe('the way to the web app', () => {
  let web: Server;
  let server: FastifyInstance;
  const received: { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers'] }[] = [];

  beforeAll(async () => {
    const port = await freePort();
    web = createServer((request, response) => {
      const { method, url, headers } = request;
      received.push({ method, url, headers });
      const type = url?.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8';
      response.writeHead(200, { 'content-type': type, 'x-powered-by': 'Next.js' }).end('<p>');
    });
    await new Promise<void>((resolve) => web.listen(port, '127.0.0.1', resolve));
    server = fastify();
    await registerWebProxy(server, { url: `http://127.0.0.1:${port}`, isDevelopment: false, isSecure: true });
  });
  afterAll(async () => {
    await server.close();
    web.close();
  });

  const nonceOf = (policy: unknown) => /'nonce-([^']+)'/.exec(String(policy))?.[1];

  test('a page carries the policy its request announced, with a fresh nonce each', async () => {
    const answers = [await server.inject('/'), await server.inject('/sessions')];
    const nonces = answers.map((answer) => nonceOf(answer.headers['content-security-policy']));
    expect(new Set(nonces).size).toBe(2);
    expect(received.slice(-2).map(({ headers }) => nonceOf(headers['content-security-policy']))).toEqual(nonces);
    expect(nonces[0]).toHaveLength(24);
    expect(answers[0]?.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'strict-transport-security': expect.any(String),
    });
    expect(answers[0]?.headers['x-powered-by']).toBeUndefined();
    expect((await server.inject('/a.js')).headers['content-security-policy']).toBeUndefined();
  });

  test('security 9: headers the framework trusts, and a policy of the browser, never arrive', async () => {
    const forged = {
      'x-middleware-subrequest': 'middleware',
      'x-middleware-next': '1',
      'x-nextjs-data': '1',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-for': '1.2.3.4',
      'x-invoke-path': '/admin',
      'x-matched-path': '/admin',
      'next-action': 'abc',
      'content-security-policy': "script-src 'nonce-evil'",
    };
    await server.inject({ url: '/', headers: { ...forged, cookie: 'a=b', rsc: '1', 'accept-language': 'zh-CN' } });
    const headers = received.at(-1)?.headers ?? {};
    expect(Object.keys(forged).filter((name) => name !== 'content-security-policy' && name in headers)).toEqual([]);
    expect(headers['content-security-policy']).not.toContain('evil');
    expect(headers).toMatchObject({ cookie: 'a=b', rsc: '1', 'accept-language': 'zh-CN' });
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'security 10: %s with an action body never reaches the pages',
    async (method) => {
      const before = received.length;
      const bodies = ['["$F1","$@2"]', '{"then":"$1:constructor:constructor"}', '0=["$K1"]', 'x'.repeat(100_000)];
      for (const payload of bodies) {
        const headers = { 'next-action': '7f00', 'content-type': 'text/plain;charset=UTF-8', rsc: '1' };
        const answer = await server.inject({ method, url: '/', headers, payload });
        expect(answer.statusCode).toBe(405);
        expect(answer.body).not.toMatch(/at .*\(|stack/);
      }
      expect(received).toHaveLength(before);
    },
  );

  test('an upgrade is not passed on', async () => {
    const port = await freePort();
    await server.listen({ port, host: '127.0.0.1' });
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(
          'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: websocket\r\nsec-websocket-key: x\r\nsec-websocket-version: 13\r\n\r\n',
        ),
      );
      socket.once('data', (chunk) => {
        resolve(chunk.toString());
        socket.destroy();
      });
      socket.on('error', reject);
    });
    expect(text).not.toContain('101');
    expect(received.at(-1)?.headers.upgrade).toBeUndefined();
  });

  test('while the web app is down people read why', async () => {
    const down = fastify();
    await registerWebProxy(down, {
      url: `http://127.0.0.1:${await freePort()}`,
      isDevelopment: false,
      isSecure: false,
    });
    const answer = await down.inject('/');
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'retry-after': '3' });
    expect(answer.body).toContain('The pages are not up yet');
    await down.close();
  });
});
