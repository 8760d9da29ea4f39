export { type ApprovalLedger, createApprovalLedger } from './approval/approval-ledger.ts';
export { activateTools, activeMetadata } from './catalog/activate-tools.ts';
export { adoptExternal, type ExternalTool } from './catalog/adopt-external.ts';
export type { Dialect } from './catalog/dialects.ts';
export { failClosedTool } from './catalog/fail-closed-tool.ts';
export { type LoadedTools, type LoadFailure, loadTools, type ToolListing } from './catalog/load-tools.ts';
export { type ProjectedSchema, projectSchema, restoreNames } from './catalog/project-schema.ts';
export { type Catalog, type CatalogProblem, registerTools } from './catalog/register-tools.ts';
export { type SanitizedSchema, sanitizeSchema } from './catalog/sanitize-schema.ts';
export { entryOf, indexCatalog, type SearchIndex, searchCatalog } from './catalog/search-catalog.ts';
export { type CatalogSnapshot, snapshotCatalog } from './catalog/snapshot-catalog.ts';
export { type Capability, capabilities } from './contract/capability.ts';
export { defineTool } from './contract/define-tool.ts';
export type { JsonObject, JsonValue } from './contract/json.ts';
export type {
  Answer,
  ApprovalDecision,
  ApprovalPort,
  ApprovalRequest,
  ApprovalSubject,
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
export type { DispatcherDeps } from './dispatch/dispatcher-deps.ts';
export { createSessionCatalog, type SessionCatalog, type SessionCatalogOptions } from './dispatch/session-catalog.ts';
export { type HeldLock, type LockKind, type LockToken, ToolLock } from './dispatch/tool-lock.ts';
export type { ErrorCode, HostErrorCode, ToolErrorDetails } from './errors.ts';
export { errorCodes, HostError, ToolError } from './errors.ts';
export { type RetrieveMode, type RetrieveRequest, retrieveOutput } from './output/retrieve-output.ts';
export { type FieldMapping, mapFields, renameAliasFields } from './repair/map-fields.ts';
export {
  type RepairedArguments,
  type RepairReason,
  repairArguments,
  type SalvagePolicy,
} from './repair/repair-arguments.ts';
export { type NameRepair, repairToolName } from './repair/repair-tool-name.ts';
export { didYouMean, suggestNames } from './repair/suggest-names.ts';
export { buildRequest } from './turn/build-request.ts';
export type { ModelClient, ModelDelta, ModelRequest, TranscriptItem } from './turn/model-client.ts';
export { readStream, type StreamHandlers, type StreamOutcome } from './turn/read-stream.ts';
export { runTurn } from './turn/run-turn.ts';
export { type ForgeryStripper, stripForgedCalls } from './turn/strip-forged-calls.ts';
export type { TurnDeps, TurnEnd, TurnEvent, TurnSink } from './turn/turn-deps.ts';
export {
  repairSchema,
  type SessionEvent,
  type SessionEventKind,
  type StoredEvent,
  sessionEventSchema,
  toolResultSchema,
} from './turn/turn-event.ts';
