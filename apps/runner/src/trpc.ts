import { type Clock, HostError, type HostErrorCode, ToolError } from '@oneslot/core';
import { initTRPC, TRPCError } from '@trpc/server';
import superjson from 'superjson';
import { z } from 'zod';
import type { RunnerServices } from './services.ts';
import type { EventLog } from './sessions/event-log.ts';
import type { Caller, Me, Stores } from './store/contract.ts';

export type SetupRequest = { token: string; name: string; email: string; password: string; organizationName: string };
/** What a request carries. `reauthorize` asks the database again, for streams that outlive a role or a session. */
export type RunnerContext = {
  signedIn: { caller: Caller; me: Me; csrfToken: string } | null;
  reauthorize(): Promise<Caller | null>;
  stores: Stores;
  log: EventLog;
  services: RunnerServices;
  setup: { needed(): Promise<boolean>; claim(request: SetupRequest): Promise<void> };
  clock: Pick<Clock, 'now'>;
  installation: { version: string; databaseKind: 'pglite' | 'postgres' };
  reportBug(error: unknown, path: string): void;
};

const trpcCodes = {
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  invalid: 'BAD_REQUEST',
  unavailable: 'SERVICE_UNAVAILABLE',
  too_large: 'PAYLOAD_TOO_LARGE',
  internal: 'INTERNAL_SERVER_ERROR',
} as const satisfies Record<HostErrorCode, TRPCError['code']>;

const t = initTRPC.context<RunnerContext>().create({
  transformer: superjson,
  isDev: false,
  sse: { ping: { enabled: true, intervalMs: 3_000 }, client: { reconnectAfterInactivityMs: 8_000 } },
  errorFormatter: ({ shape, error }) => {
    const { cause } = error;
    const next = cause instanceof HostError || cause instanceof ToolError ? (cause.next ?? null) : null;
    const message = cause instanceof z.ZodError ? z.prettifyError(cause) : shape.message;
    return {
      ...shape,
      message,
      data: { code: shape.data.code, httpStatus: shape.data.httpStatus, path: shape.data.path, next },
    };
  },
});

/** Expected failures become answers with a code; anything else is a bug: reported with its cause, shown as `internal`. */
const translateErrors = t.middleware(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok) return result;
  const { cause } = result.error;
  if (cause instanceof HostError) throw new TRPCError({ code: trpcCodes[cause.code], message: cause.message, cause });
  if (cause instanceof ToolError) throw new TRPCError({ code: codeOfTool(cause), message: cause.message, cause });
  if (result.error.code !== 'INTERNAL_SERVER_ERROR') return result;
  ctx.reportBug(cause ?? result.error, path);
  throw new TRPCError({
    code: 'INTERNAL_SERVER_ERROR',
    message: 'Something broke on the server. The cause is in its log.',
  });
});

function codeOfTool(error: ToolError): TRPCError['code'] {
  if (error.code === 'not_found') return 'NOT_FOUND';
  if (error.code === 'too_large') return 'PAYLOAD_TOO_LARGE';
  if (error.code === 'unavailable' || error.code === 'sandbox_lost') return 'SERVICE_UNAVAILABLE';
  if (error.code === 'timeout') return 'TIMEOUT';
  return 'BAD_REQUEST';
}

export const router = t.router;

export const publicProcedure = t.procedure.use(translateErrors);

/** Any signed-in person of an organization, viewers included: reads only. */
export const readerProcedure = publicProcedure.use(({ ctx, next }) => {
  if (!ctx.signedIn) throw new HostError('unauthorized', 'Please sign in.');
  return next({ ctx: { ...ctx, ...ctx.signedIn } });
});

/** May change something; which sessions, `requireOwnSession` says. */
export const memberProcedure = readerProcedure.use(({ ctx, next }) => {
  if (ctx.caller.role === 'viewer') throw new HostError('forbidden', 'Viewers cannot change anything.');
  return next({ ctx });
});

/** May answer approvals; which ones is decided by the row: one's own sessions, and all with the approver right. */
export const approverProcedure = memberProcedure;

export const adminProcedure = readerProcedure.use(({ ctx, next }) => {
  const { role } = ctx.caller;
  if (role !== 'owner' && role !== 'admin') throw new HostError('forbidden', 'Only administrators can do this.');
  return next({ ctx });
});

/** An id in an answer to nobody's question: unknown, foreign and private ones sound the same. */
export function notFound(noun: string): HostError {
  return new HostError('not_found', `No ${noun} with this id.`);
}
