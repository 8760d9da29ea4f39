import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export type WebOptions = { url: string; isDevelopment: boolean; isSecure: boolean };

/** What the framework trusts between its own parts, and what only a proxy in front of us may say. */
const dropped =
  /^(x-middleware-|x-forwarded-|x-invoke-|x-nextjs-|x-matched-path|x-prerender-|x-now-|x-vercel-|x-original-|x-rewrite-|forwarded$|content-security-policy|next-action|next-resume|connection$|keep-alive$|proxy-|te$|trailer$|upgrade$|expect$)/;

/** Everything that is not the runner's goes to the web app on loopback: pages only, so only reads pass. */
export async function registerWebProxy(server: FastifyInstance, web: WebOptions): Promise<void> {
  const nonces = new WeakMap<object, string>();
  const policyOf = (request: object) => policy(nonces.get(request) ?? '', web);
  await server.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (!isRead(request, web))
        return reply.code(405).header('allow', 'GET, HEAD').send({ error: 'Pages are only read.' });
      nonces.set(request, randomBytes(16).toString('base64'));
      return undefined;
    });
    await scope.register(httpProxy, {
      upstream: web.url,
      prefix: '/',
      ...(web.isDevelopment && { websocket: true }),
      replyOptions: {
        rewriteRequestHeaders: (request, headers) => ({
          ...without(headers),
          'content-security-policy': policyOf(request),
        }),
        rewriteHeaders: (headers, request) => withPolicy(headers, request ? policyOf(request) : policy('', web), web),
        onError: (reply) => {
          reply.code(503).headers(downHeaders).send(downPage);
        },
      },
    });
  });
}

/** The web app has no actions and no routes of its own; only its development server talks back to itself. */
function isRead(request: FastifyRequest, web: WebOptions): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  return web.isDevelopment && request.url.startsWith('/__nextjs');
}

function without(headers: IncomingHttpHeaders | Record<string, unknown>): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !dropped.test(name));
  return Object.fromEntries(kept) as IncomingHttpHeaders;
}

/** As tight as every library of the pages allows; `style-src-attr` serves server-rendered style attributes. */
function policy(nonce: string, { isDevelopment }: WebOptions): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function withPolicy<Headers extends Record<string, unknown>>(
  headers: Headers,
  value: string,
  { isSecure }: WebOptions,
): Headers {
  const { 'x-powered-by': _banner, ...kept } = headers;
  const added = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    ...(isSecure && { 'strict-transport-security': 'max-age=31536000' }),
    ...(/^text\/html/.test(String(headers['content-type'] ?? '')) && { 'content-security-policy': value }),
  };
  return { ...kept, ...added } as unknown as Headers;
}

const downPage =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>Oneslot</title>' +
  '<h1>The pages are not up yet</h1><p>The web app does not answer. It may still be starting; this page tries again by itself. ' +
  'If it stays like this, the reason is in the terminal that started Oneslot.</p>';
const downHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'retry-after': '3',
};
