import { approvalsRouter } from './routers/approvals.ts';
import { envelopesRouter } from './routers/envelopes.ts';
import { events } from './routers/events.ts';
import { filesRouter } from './routers/files.ts';
import { me } from './routers/me.ts';
import { modelsRouter } from './routers/models.ts';
import { questionsRouter } from './routers/questions.ts';
import { sessionsRouter } from './routers/sessions.ts';
import { setupRouter } from './routers/setup.ts';
import { statsRouter } from './routers/stats.ts';
import { systemRouter } from './routers/system.ts';
import { toolsRouter } from './routers/tools.ts';
import { router } from './trpc.ts';

export const appRouter = router({
  me,
  setup: setupRouter,
  system: systemRouter,
  sessions: sessionsRouter,
  events,
  approvals: approvalsRouter,
  questions: questionsRouter,
  envelopes: envelopesRouter,
  files: filesRouter,
  models: modelsRouter,
  tools: toolsRouter,
  stats: statsRouter,
});

export type AppRouter = typeof appRouter;
export type { SessionEvent, StoredEvent } from '@oneslot/core';
export type { EnvelopePart } from './routers/envelopes.ts';
export type { StreamItem } from './routers/events.ts';
export type { MeAnswer } from './routers/me.ts';
export type { ModelAnswer } from './routers/models.ts';
export type { SandboxStatus, SessionAnswer, SessionSummary } from './routers/sessions.ts';
export type { ModelStatisticsAnswer } from './routers/stats.ts';
export type { SystemInfo } from './routers/system.ts';
export type { EngineChoice, EngineInfo, FileText, ModelKind, TestPhase, ToolSummary } from './services.ts';
export type { ApprovalState, PendingApproval, Role } from './store/contract.ts';
