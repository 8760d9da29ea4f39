import { HostError, type Isolation, type SessionEvent, type StoredEvent } from '@oneslot/core';
import { z } from 'zod';
import { blockKey } from '../sessions/build-transcript.ts';
import type { SessionRow } from '../store/contract.ts';
import { memberProcedure, notFound, type RunnerContext, readerProcedure, router } from '../trpc.ts';
import { id, line, messageText, mode, modelId, sessionId, text } from './inputs.ts';
import { mayChange, requireOwnSession, requireSession } from './own-session.ts';

export type SessionSummary = SessionRow;
export type SandboxStatus = { engine: string; isolation: Isolation; phase: string; detail: string | null };
export type SessionAnswer = SessionSummary & {
  sandbox: SandboxStatus | null;
  todos: Extract<SessionEvent, { kind: 'todos-changed' }>['items'];
  usage: { inputTokens: number; cachedTokens: number; outputTokens: number };
  owner: { id: string; name: string };
  queued: { messageId: string; text: string }[];
  lastSeq: number;
  /** Whether this person may do more than read and send messages. */
  mayChange: boolean;
};

export const untitled = 'New session';
const ok: { ok: true } = { ok: true };

export const sessionsRouter = router({
  list: readerProcedure
    .input(z.strictObject({ query: text(200).optional(), cursor: z.string().max(200).nullish() }).optional())
    .query(async ({ ctx, input }): Promise<{ items: SessionSummary[]; nextCursor: string | null }> => {
      const filter = {
        limit: 50,
        ...(input?.query && { query: input.query }),
        ...(input?.cursor && { cursor: input.cursor }),
      };
      return ctx.stores.sessions.listSessions(ctx.caller, filter);
    }),

  create: memberProcedure
    .input(
      z.strictObject({
        title: line(200).optional(),
        mode: mode.optional(),
        modelId: modelId.nullish(),
        visibility: z.enum(['private', 'organization']).optional(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const { caller } = ctx;
      const chosen = input.modelId ?? null;
      if (chosen !== null) await requireModel(ctx, caller.organizationId, chosen);
      const row = { title: input.title ?? untitled, mode: input.mode ?? 'agent', modelId: chosen };
      const created = await ctx.stores.sessions.createSession({
        caller,
        ...row,
        visibility: input.visibility ?? 'private',
      });
      await ctx.log.append(created, [{ kind: 'session-created', ...row }]);
      return { id: created };
    }),

  get: readerProcedure.input(z.strictObject({ sessionId })).query(async ({ ctx, input }): Promise<SessionAnswer> => {
    const session = await ctx.stores.sessions.getSession(ctx.caller, input.sessionId);
    if (!session) throw notFound('session');
    const [sandbox, todos, lastSeq] = await Promise.all([
      ctx.log.latest(input.sessionId, 'sandbox-changed'),
      ctx.log.latest(input.sessionId, 'todos-changed'),
      ctx.log.lastSeq(input.sessionId),
    ]);
    return {
      ...session,
      sandbox: sandbox && {
        engine: sandbox.engine,
        isolation: sandbox.isolation,
        phase: sandbox.phase,
        detail: sandbox.detail,
      },
      todos: todos ? todos.items : [],
      lastSeq,
      mayChange: mayChange(ctx.caller, session.owner.id),
    };
  }),

  rename: memberProcedure.input(z.strictObject({ sessionId, title: line(200) })).mutation(async ({ ctx, input }) => {
    await requireOwnSession(ctx, input.sessionId);
    await ctx.log.append(input.sessionId, [{ kind: 'session-changed', title: input.title, by: ctx.caller.userId }]);
    return ok;
  }),

  setMode: memberProcedure.input(z.strictObject({ sessionId, mode })).mutation(async ({ ctx, input }) => {
    const session = await requireOwnSession(ctx, input.sessionId);
    await ctx.log.append(session.id, [{ kind: 'session-changed', mode: input.mode, by: ctx.caller.userId }]);
    await ctx.stores.audit.record({
      organizationId: session.organizationId,
      actorId: ctx.caller.userId,
      action: 'session.mode',
      target: session.id,
      outcome: 'ok',
      detail: { from: session.mode, to: input.mode },
    });
    return ok;
  }),

  setModel: memberProcedure.input(z.strictObject({ sessionId, modelId })).mutation(async ({ ctx, input }) => {
    await requireOwnSession(ctx, input.sessionId);
    await requireModel(ctx, ctx.caller.organizationId, input.modelId);
    await ctx.log.append(input.sessionId, [{ kind: 'session-changed', modelId: input.modelId, by: ctx.caller.userId }]);
    return ok;
  }),

  remove: memberProcedure.input(z.strictObject({ sessionId })).mutation(async ({ ctx, input }) => {
    const session = await requireOwnSession(ctx, input.sessionId);
    const { caller } = ctx;
    const isAdmin = caller.role === 'owner' || caller.role === 'admin';
    if (session.ownerId !== caller.userId && !isAdmin)
      throw new HostError('forbidden', 'Only its owner can delete a session.');
    await ctx.services.sessions.stop(session.id, caller.userId);
    // Files before rows: the row is what leads to the files.
    await ctx.services.sandboxes.remove(session.id);
    await ctx.stores.sessions.removeSession(caller, session.id);
    await ctx.stores.audit.record({
      organizationId: caller.organizationId,
      actorId: caller.userId,
      action: 'session.remove',
      target: session.id,
      outcome: 'ok',
    });
    ctx.log.touchLists(caller.organizationId);
    return ok;
  }),

  send: memberProcedure
    .input(z.strictObject({ sessionId, text: messageText, messageId: id }))
    .mutation(async ({ ctx, input }): Promise<{ queued: boolean }> => {
      const session = await requireSession(ctx, input.sessionId);
      const by = ctx.caller.userId;
      const { messageId } = input;
      const queued = ctx.services.sessions.isRunning(session.id);
      const row = { sessionId: session.id, organizationId: session.organizationId, messageId, text: input.text, by };
      if (await ctx.stores.messages.queueMessage(row)) {
        await ctx.log.append(session.id, [
          ...(session.title === untitled ? [{ kind: 'session-changed' as const, title: titleFrom(input.text) }] : []),
          { kind: 'message-queued', messageId, text: input.text, by },
        ]);
      }
      ctx.services.sessions.wake(session.id);
      return { queued };
    }),

  /** Leaves out what the provider refused, as the event of that place says, and goes on. */
  dropBlock: memberProcedure
    .input(z.strictObject({ sessionId, seq: z.int().min(1) }))
    .mutation(async ({ ctx, input }) => {
      const session = await requireOwnSession(ctx, input.sessionId);
      const [stored] = await ctx.log.read(session.id, input.seq, 1);
      if (stored?.seq !== input.seq || stored.event.kind !== 'request-rejected') throw notFound('refused request');
      if (ctx.services.sessions.isRunning(session.id))
        throw new HostError('conflict', 'The session is at work. Wait until it ends, or stop it first.');
      const { block } = stored.event;
      const last = await ctx.log.latest(session.id, 'block-dropped');
      // A second click, or a colleague's: one turn goes on, not two.
      if (last && blockKey(last.block) === blockKey(block)) return ok;
      const reason = 'What the model provider refused is left out of what the model reads.';
      await ctx.log.append(session.id, [
        { kind: 'block-dropped', block, by: ctx.caller.userId },
        { kind: 'compacted', reason, droppedItems: 1 },
      ]);
      ctx.services.sessions.wake(session.id);
      return ok;
    }),

  stop: memberProcedure.input(z.strictObject({ sessionId })).mutation(async ({ ctx, input }) => {
    await requireOwnSession(ctx, input.sessionId);
    await ctx.services.sessions.stop(input.sessionId, ctx.caller.userId);
    return ok;
  }),

  unqueue: memberProcedure.input(z.strictObject({ sessionId, messageId: id })).mutation(async ({ ctx, input }) => {
    await requireSession(ctx, input.sessionId);
    const queued = await ctx.stores.messages.listQueued(input.sessionId);
    const isOwn = queued.some(({ messageId, by }) => messageId === input.messageId && by === ctx.caller.userId);
    // What a colleague may send they may take back; what others sent is not theirs.
    if (!isOwn) await requireOwnSession(ctx, input.sessionId);
    if (!(await ctx.stores.messages.unqueueMessage(input.sessionId, input.messageId))) throw notFound('message');
    await ctx.log.append(input.sessionId, [{ kind: 'session-changed', by: ctx.caller.userId }]);
    return ok;
  }),

  history: readerProcedure
    .input(z.strictObject({ sessionId, fromSeq: z.int().min(1), limit: z.int().min(1).max(2_000) }))
    .query(async ({ ctx, input }): Promise<{ events: StoredEvent[]; lastSeq: number }> => {
      await requireSession(ctx, input.sessionId);
      // First the end, then the rows: what is written between the two is read again, never skipped.
      const lastSeq = await ctx.log.lastSeq(input.sessionId);
      return { events: await ctx.log.read(input.sessionId, input.fromSeq, input.limit), lastSeq };
    }),
});

async function requireModel(
  ctx: Pick<RunnerContext, 'services'>,
  organizationId: string,
  wanted: string,
): Promise<void> {
  const models = await ctx.services.models.list(organizationId);
  if (!models.some((model) => model.id === wanted)) throw notFound('model');
}

function titleFrom(message: string): string {
  const first = message.split('\n').find((one) => one.trim() !== '') ?? untitled;
  return first.trim().slice(0, 80);
}
