import { z } from 'zod';
import { notFound, readerProcedure, router } from '../trpc.ts';
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
      const info = await ctx.stores.envelopes.envelopeInfo(input.sessionId, input.ref);
      if (!info) throw notFound('output');
      const part = await ctx.stores.envelopes.readEnvelope(input.sessionId, input.ref, input.start, input.end);
      const end = input.start + part.length;
      const { bytes, sha256 } = info;
      return { text: new TextDecoder().decode(part), start: input.start, end, bytes, sha256, complete: end >= bytes };
    }),
});
