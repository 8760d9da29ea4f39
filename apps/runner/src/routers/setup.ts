import { z } from 'zod';
import { publicProcedure, router } from '../trpc.ts';
import { line } from './inputs.ts';

const claimInput = z.strictObject({
  token: z.string().min(1).max(200),
  name: line(100),
  email: z.email().max(200),
  password: z.string().min(10, 'At least 10 characters.').max(128),
  organizationName: line(100),
});

export const setupRouter = router({
  status: publicProcedure.query(
    async ({ ctx }): Promise<{ needed: boolean }> => ({ needed: await ctx.setup.needed() }),
  ),

  claim: publicProcedure.input(claimInput).mutation(async ({ ctx, input }): Promise<{ ok: true }> => {
    await ctx.setup.claim(input);
    return { ok: true };
  }),
});
