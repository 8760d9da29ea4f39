import type { FileInfo } from '@oneslot/core';
import { z } from 'zod';
import type { FileText } from '../services.ts';
import { readerProcedure, router } from '../trpc.ts';
import { path, sessionId } from './inputs.ts';
import { requireSession } from './own-session.ts';

export const filesRouter = router({
  list: readerProcedure
    .input(z.strictObject({ sessionId, path }))
    .query(async ({ ctx, input }): Promise<{ entries: FileInfo[] }> => {
      await requireSession(ctx, input.sessionId);
      return { entries: await ctx.services.sandboxes.listFiles(input.sessionId, input.path) };
    }),

  read: readerProcedure.input(z.strictObject({ sessionId, path })).query(async ({ ctx, input }): Promise<FileText> => {
    await requireSession(ctx, input.sessionId);
    return ctx.services.sandboxes.readFile(input.sessionId, input.path);
  }),
});
