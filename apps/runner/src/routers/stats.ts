import { z } from 'zod';
import type { ModelStatistics } from '../store/contract.ts';
import { adminProcedure, router } from '../trpc.ts';

export type ModelStatisticsAnswer = ModelStatistics;

const dayMs = 24 * 60 * 60 * 1000;

export const statsRouter = router({
  /** How each model calls tools, over the last days; for who chooses models. */
  models: adminProcedure
    .input(z.strictObject({ days: z.int().min(1).max(365) }))
    .query(({ ctx, input }): Promise<ModelStatisticsAnswer[]> => {
      const since = new Date(ctx.clock.now() - input.days * dayMs);
      return ctx.stores.slotCounts.byModel(ctx.caller.organizationId, since);
    }),
});
