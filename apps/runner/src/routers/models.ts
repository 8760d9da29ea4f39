import { HostError } from '@oneslot/core';
import { z } from 'zod';
import type { ModelSummary, TestPhase } from '../services.ts';
import { adminProcedure, notFound, readerProcedure, router } from '../trpc.ts';
import { dialect, httpUrl, id, line, modelId } from './inputs.ts';

export type ModelAnswer = ModelSummary;

const apiKey = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[\x21-\x7e]+$/, 'A key has no blanks.');
const testInput = z.union([
  z.strictObject({ modelId }),
  z.strictObject({ baseUrl: httpUrl, apiKey: apiKey.optional(), model: line(200), dialect }),
]);

export const modelsRouter = router({
  list: readerProcedure.query(({ ctx }): Promise<ModelAnswer[]> => ctx.services.models.list(ctx.caller.organizationId)),

  addProvider: adminProcedure
    .input(
      z.strictObject({
        name: line(100),
        baseUrl: httpUrl,
        apiKey: apiKey.optional(),
        models: z.array(line(200)).min(1).max(100),
        dialect,
      }),
    )
    .mutation(async ({ ctx, input }): Promise<{ id: string }> => {
      const { organizationId, userId } = ctx.caller;
      const added = await ctx.stores.models.addProvider({ ...input, apiKey: input.apiKey ?? null, organizationId });
      await ctx.stores.audit.record({
        organizationId,
        actorId: userId,
        action: 'provider.add',
        target: added,
        outcome: 'ok',
        detail: { name: input.name, baseUrl: input.baseUrl },
      });
      return { id: added };
    }),

  removeProvider: adminProcedure
    .input(z.strictObject({ providerId: id }))
    .mutation(async ({ ctx, input }): Promise<{ ok: true }> => {
      const { organizationId, userId } = ctx.caller;
      if (!(await ctx.stores.models.removeProvider(organizationId, input.providerId))) throw notFound('provider');
      await ctx.stores.audit.record({
        organizationId,
        actorId: userId,
        action: 'provider.remove',
        target: input.providerId,
        outcome: 'ok',
      });
      return { ok: true };
    }),

  /** Sends a short request to an address of the caller's choice, hence administrators only. */
  test: adminProcedure.input(testInput).mutation(async ({ ctx, input }): Promise<{ phases: TestPhase[] }> => {
    const { organizationId } = ctx.caller;
    if (!('modelId' in input)) {
      return { phases: await ctx.services.models.test({ ...input, apiKey: input.apiKey ?? null }) };
    }
    const models = await ctx.services.models.list(organizationId);
    if (!models.some((model) => model.id === input.modelId)) throw notFound('model');
    return { phases: await ctx.services.models.test({ modelId: input.modelId, organizationId }) };
  }),

  /** The model that summarizes long outputs, and whether it is still there. */
  cheap: readerProcedure.query(async ({ ctx }): Promise<{ modelId: string | null }> => {
    const { organizationId } = ctx.caller;
    const modelId = await ctx.stores.models.cheapModel(organizationId);
    const models = await ctx.services.models.list(organizationId);
    return { modelId: models.some((model) => model.id === modelId) ? modelId : null };
  }),

  /** Null: nothing is summarized. */
  setCheap: adminProcedure
    .input(z.strictObject({ modelId: modelId.nullable() }))
    .mutation(async ({ ctx, input }): Promise<{ ok: true }> => {
      const { organizationId, userId } = ctx.caller;
      const models = await ctx.services.models.list(organizationId);
      const chosen = models.find((model) => model.id === input.modelId);
      if (input.modelId !== null && !chosen) throw notFound('model');
      if (chosen?.offline)
        throw new HostError('invalid', `${chosen.name} plays a script and cannot summarize.`, {
          next: 'Choose a model of a provider.',
        });
      await ctx.stores.models.setCheapModel(organizationId, input.modelId);
      await ctx.stores.audit.record({
        organizationId,
        actorId: userId,
        action: 'model.cheap',
        target: input.modelId,
        outcome: 'ok',
      });
      return { ok: true };
    }),

  setDefault: adminProcedure
    .input(z.strictObject({ modelId }))
    .mutation(async ({ ctx, input }): Promise<{ ok: true }> => {
      const { organizationId, userId } = ctx.caller;
      const models = await ctx.services.models.list(organizationId);
      if (!models.some((model) => model.id === input.modelId)) throw notFound('model');
      await ctx.stores.models.setDefaultModel(organizationId, input.modelId);
      await ctx.stores.audit.record({
        organizationId,
        actorId: userId,
        action: 'model.default',
        target: input.modelId,
        outcome: 'ok',
      });
      return { ok: true };
    }),
});
