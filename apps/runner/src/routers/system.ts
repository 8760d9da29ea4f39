import type { EngineChoice, EngineInfo } from '../services.ts';
import { readerProcedure, router } from '../trpc.ts';

export type SystemInfo = {
  version: string;
  engine: EngineInfo;
  database: { kind: 'pglite' | 'postgres' };
  engines: EngineChoice[];
};

export const systemRouter = router({
  info: readerProcedure.query(
    async ({ ctx }): Promise<SystemInfo> => ({
      version: ctx.installation.version,
      engine: ctx.services.sandboxes.describe(),
      database: { kind: ctx.installation.databaseKind },
      engines: await ctx.services.sandboxes.engines(),
    }),
  ),
});
