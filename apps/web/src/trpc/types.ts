import type {
  AppRouter,
  EngineChoice,
  MeAnswer,
  ModelAnswer,
  ModelStatisticsAnswer,
  PendingApproval,
  SessionAnswer,
  SessionEvent,
  SessionSummary,
  StoredEvent,
  SystemInfo,
  TestPhase,
  ToolSummary,
} from '@oneslot/runner/router';
import type { inferRouterOutputs } from '@trpc/server';

export type EventOf<K extends SessionEvent['kind']> = Extract<SessionEvent, { kind: K }>;
export type Me = MeAnswer;
export type SessionDetail = SessionAnswer;
export type ModelSummary = ModelAnswer;
export type ModelStatistics = ModelStatisticsAnswer;
export type FileEntry = inferRouterOutputs<AppRouter>['files']['list']['entries'][number];
export type Mode = SessionSummary['mode'];
export type {
  EngineChoice,
  PendingApproval,
  SessionEvent,
  SessionSummary,
  StoredEvent,
  SystemInfo,
  TestPhase,
  ToolSummary,
};
