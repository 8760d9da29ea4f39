import type { BetterAuthOptions } from 'better-auth';
import { hashPassword } from 'better-auth/crypto';
// The full entry loads a second query builder, a third of a second of every start.
import { betterAuth } from 'better-auth/minimal';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AllowedOrigins } from './allowed-origins.ts';

export type Auth = {
  /** Id of the sign-in that these headers carry, null without a valid one. */
  authSessionId(headers: FastifyRequest['headers']): Promise<string | null>;
  /** Set-Cookie values of a new sign-in. */
  signIn(email: string, password: string): Promise<string[]>;
  hashPassword(password: string): Promise<string>;
  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
};

export type AuthOptions = {
  adapter: NonNullable<BetterAuthOptions['database']>;
  secret: string;
  publicUrl: string;
  origins: readonly string[];
};

/** Set by us from the socket, so that no client can choose the address its attempts are counted under. */
const addressHeader = 'x-oneslot-address';

/** What better-auth may answer; sign-up stays shut, since the only way in is the one-time setup link. */
const openPaths = new Set(['POST /api/auth/sign-in/email', 'POST /api/auth/sign-out', 'GET /api/auth/get-session']);

export function createAuth(options: AuthOptions): Auth {
  const auth = betterAuth({
    baseURL: options.publicUrl,
    basePath: '/api/auth',
    secret: options.secret,
    trustedOrigins: [...options.origins],
    database: options.adapter,
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 128 },
    user: { additionalFields: { locale: { type: 'string', required: false, input: false } } },
    session: {
      modelName: 'authSession',
      expiresIn: 30 * 24 * 3_600,
      updateAge: 24 * 3_600,
      additionalFields: { activeOrganizationId: { type: 'string', required: false, input: false } },
    },
    rateLimit: { enabled: true, window: 60, max: 300, customRules: { '/sign-in/email': { window: 60, max: 10 } } },
    advanced: {
      cookiePrefix: 'oneslot',
      ipAddress: { ipAddressHeaders: [addressHeader] },
      defaultCookieAttributes: { sameSite: 'lax', httpOnly: true },
    },
    telemetry: { enabled: false },
    logger: { level: 'error' },
  });

  return {
    authSessionId: async (headers) => {
      if (!headers.cookie) return null;
      const found = await auth.api.getSession({ headers: new Headers({ cookie: headers.cookie }) });
      return found?.session.id ?? null;
    },
    signIn: async (email, password) => {
      const { headers } = await auth.api.signInEmail({ body: { email, password }, returnHeaders: true });
      return headers.getSetCookie();
    },
    hashPassword,
    handle: async (request, reply) => passOn(await auth.handler(toRequest(request, options.publicUrl)), reply),
  };
}

export function registerAuth(server: FastifyInstance, auth: Auth, origins: AllowedOrigins): void {
  server.all('/api/auth/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0];
    if (!openPaths.has(`${request.method} ${path}`)) return reply.code(404).send({ error: 'not_found' });
    if (request.method === 'POST' && !origins.isOrigin(request.headers.origin)) {
      return reply.code(403).send({ error: 'This page may not do that: its origin is not ours.' });
    }
    // An empty sign-out has no type; anything else that is not JSON is a form of some other page.
    const type = request.headers['content-type'];
    if (request.method === 'POST' && type !== undefined && !/^application\/json\b/i.test(type)) {
      return reply.code(415).send({ error: 'The body must be application/json.' });
    }
    return auth.handle(request, reply);
  });
}

function toRequest(request: FastifyRequest, publicUrl: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (/^(x-forwarded-|forwarded$|content-length$|transfer-encoding$|connection$)/.test(name)) continue;
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  headers.set(addressHeader, request.ip);
  const hasBody = request.method === 'POST' && request.body !== undefined && request.body !== null;
  return new Request(new URL(request.url, publicUrl), {
    method: request.method,
    headers,
    ...(hasBody && { body: JSON.stringify(request.body) }),
  });
}

async function passOn(response: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  // Joined by a comma, several cookies would read as one.
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
  return reply.send(response.body === null ? null : Buffer.from(await response.arrayBuffer()));
}
