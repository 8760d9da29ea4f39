import type { ToolSummary } from '../services.ts';
import { readerProcedure, router } from '../trpc.ts';

export const toolsRouter = router({
  list: readerProcedure.query(({ ctx }): ToolSummary[] => ctx.services.tools.list()),
});
