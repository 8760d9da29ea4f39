export { type ApprovalLedger, createApprovalLedger } from './approval/approval-ledger.ts';
export { digestOf } from './approval/digest-call.ts';
export { adoptExternal, type ExternalTool } from './catalog/adopt-external.ts';
export { type LoadedTools, type LoadFailure, loadTools, type ToolListing } from './catalog/load-tools.ts';
export { type ProjectedSchema, projectSchema, restoreNames } from './catalog/project-schema.ts';
export { type Catalog, type CatalogProblem, registerTools } from './catalog/register-tools.ts';
export { type Capability, capabilities } from './contract/capability.ts';
export { defineTool } from './contract/define-tool.ts';
export type { Dialect } from './contract/dialect.ts';
export type { JsonObject, JsonValue } from './contract/json.ts';
export { mediaLimits } from './contract/media-limits.ts';
export type {
  Answer,
  ApprovalDecision,
  ApprovalPort,
  ApprovalRequest,
  ApprovalSubject,
  BoundInput,
  CallEvent,
  CallFacts,
  CallJournal,
  CatalogEntry,
  CatalogPort,
  Clock,
  CommandParser,
  CommandRequest,
  CommandResult,
  CommandState,
  EnvelopeGone,
  EnvelopeInfo,
  EnvelopeMeta,
  EnvelopeStore,
  EnvelopeWriter,
  FileBytes,
  FileInfo,
  FileKind,
  FileLines,
  FileReader,
  FileWriter,
  FindRequest,
  FindResult,
  GitReader,
  GrepLine,
  GrepRequest,
  GrepResult,
  HttpClient,
  HttpRequest,
  HttpResponse,
  Isolation,
  Level,
  ListRequest,
  ListResult,
  MediaPort,
  Mode,
  ModelPort,
  PolicyPort,
  PolicyVerdict,
  PollRequest,
  PollResult,
  PortSet,
  Precondition,
  Processes,
  ProcessInfo,
  Question,
  RandomBytes,
  RepairRecord,
  SecretsPort,
  Seen,
  Shell,
  SimpleCommand,
  SubjectPort,
  Summaries,
  Summary,
  SummaryRequest,
  SyntaxNode,
  TodoItem,
  TodoList,
  TodoStatus,
  Todos,
  Use,
  UserPrompt,
  UsesPorts,
} from './contract/ports.ts';
export type { OutputStream, ResultPart, ToolCall, ToolOutput, ToolResult } from './contract/tool-call.ts';
export type { ToolDispatcher, ToolMetadata, TurnEnding } from './contract/tool-dispatcher.ts';
export type {
  CommandClass,
  CommandJudge,
  CommandJudgement,
  InputVerdict,
  ToolContextBase,
  ToolLoad,
  ToolSource,
  ToolSpec,
} from './contract/tool-spec.ts';
export { createDispatcher } from './dispatch/create-dispatcher.ts';
export type { DispatcherDeps, LastAnswers } from './dispatch/dispatcher-deps.ts';
export { createSessionCatalog, type SessionCatalog, type SessionCatalogOptions } from './dispatch/session-catalog.ts';
export { type HeldLock, type LockKind, type LockToken, ToolLock } from './dispatch/tool-lock.ts';
export type { ErrorCode, HostErrorCode, ToolErrorDetails } from './errors.ts';
export { errorCodes, HostError, ToolError } from './errors.ts';
export { describeGone } from './output/describe-gone.ts';
export { estimateTokens } from './output/estimate-tokens.ts';
export { type RetrieveMode, type RetrieveRequest, retrieveOutput } from './output/retrieve-output.ts';
export { wholeCharacters } from './output/whole-characters.ts';
export { argumentsText, isWholeArguments } from './turn/arguments-text.ts';
export { buildRequest } from './turn/build-request.ts';
export type {
  ModelClient,
  ModelDelta,
  ModelFailure,
  ModelRequest,
  RejectedItem,
  TranscriptItem,
} from './turn/model-client.ts';
export { runTurn } from './turn/run-turn.ts';
export type { Compaction, TurnDeps, TurnEnd, TurnEvent, TurnSink } from './turn/turn-deps.ts';
export {
  type ConversationBlock,
  repairSchema,
  type SessionEvent,
  type SessionEventKind,
  type StoredEvent,
  sessionEventSchema,
  toolResultSchema,
} from './turn/turn-event.ts';
