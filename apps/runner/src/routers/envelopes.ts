import { describeGone, HostError, wholeCharacters } from '@oneslot/core';
import { z } from 'zod';
import type { OutputSettings } from '../store/contract.ts';
import { adminProcedure, notFound, readerProcedure, router } from '../trpc.ts';
import { id, sessionId } from './inputs.ts';
import { requireSession } from './own-session.ts';

const limitBytes = 256 * 1024;
const offset = z.int().min(0).max(2_147_483_647);

export type EnvelopePart = {
  text: string;
  start: number;
  end: number;
  bytes: number;
  sha256: string;
  complete: boolean;
};

export const envelopesRouter = router({
  read: readerProcedure
    .input(
      z
        .strictObject({ sessionId, ref: id, start: offset, end: offset })
        .refine(
          (range) => range.end >= range.start && range.end - range.start <= limitBytes,
          'At most 256 KiB at once.',
        ),
    )
    .query(async ({ ctx, input }): Promise<EnvelopePart> => {
      await requireSession(ctx, input.sessionId);
      const { envelopes } = ctx.stores;
      const info = await envelopes.envelopeInfo(input.sessionId, input.ref);
      if (!info) {
        const gone = await envelopes.envelopeGone(input.sessionId, input.ref);
        if (gone) throw new HostError('not_found', describeGone(input.ref, gone));
        throw notFound('output');
      }
      const { start } = input;
      const { bytes, sha256 } = info;
      const found = await envelopes.readEnvelope(input.sessionId, input.ref, start, input.end);
      // The reader goes on at `end`, so a character that the window cuts comes whole with the next one.
      const part = start + found.length < bytes ? wholeCharacters(found) : found;
      const end = start + part.length;
      return { text: new TextDecoder().decode(part), start, end, bytes, sha256, complete: end >= bytes };
    }),

  /** How long outputs are kept, how much room they may take, and how much they take now. */
  settings: readerProcedure.query(
    ({ ctx }): Promise<OutputSettings> => ctx.stores.outputs.outputSettings(ctx.caller.organizationId),
  ),

  /** Null goes back to what the installation says. */
  setLimits: adminProcedure
    .input(
      z.strictObject({
        retentionDays: z.int().min(1).max(3_650).nullable().optional(),
        quotaMib: z.int().min(64).max(1_048_576).nullable().optional(),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<{ ok: true }> => {
      const { organizationId, userId } = ctx.caller;
      await ctx.stores.outputs.setOutputLimits(organizationId, input);
      await ctx.stores.audit.record({
        organizationId,
        actorId: userId,
        action: 'outputs.limits',
        target: null,
        outcome: 'ok',
        detail: { retentionDays: input.retentionDays ?? null, quotaMib: input.quotaMib ?? null },
      });
      return { ok: true };
    }),

  /** Legal hold: while it stands nothing stored is removed, of one session or of the whole organization. */
  setHold: adminProcedure
    .input(z.strictObject({ sessionId: sessionId.optional(), hold: z.boolean() }))
    .mutation(async ({ ctx, input }): Promise<{ ok: true }> => {
      const { organizationId, userId } = ctx.caller;
      const target = input.sessionId ?? null;
      // Administrators hold private sessions too, whose content they do not get to see by that.
      const session = target === null ? null : await ctx.stores.sessions.getSessionState(target);
      if (target !== null && session?.organizationId !== organizationId) throw notFound('session');
      await ctx.stores.outputs.setOutputHold({ organizationId, sessionId: target }, input.hold);
      await ctx.stores.audit.record({
        organizationId,
        actorId: userId,
        action: input.hold ? 'outputs.hold' : 'outputs.release',
        target,
        outcome: 'ok',
      });
      return { ok: true };
    }),
});
