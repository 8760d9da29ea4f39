// Every port by its subject; importers name this file, so that a port may move between subjects.

export type {
  ApprovalDecision,
  ApprovalPort,
  ApprovalRequest,
  ApprovalSubject,
  BoundInput,
  Precondition,
  SubjectPort,
} from './ports/approvals.ts';
export type { CatalogEntry, CatalogPort } from './ports/catalog.ts';
export type { Clock, RandomBytes } from './ports/clock.ts';
export type {
  CommandParser,
  CommandRequest,
  CommandResult,
  CommandState,
  PollRequest,
  PollResult,
  Processes,
  ProcessInfo,
  Shell,
  SimpleCommand,
  SyntaxNode,
} from './ports/commands.ts';
export type {
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
  ListRequest,
  ListResult,
  Seen,
} from './ports/files.ts';
export type { CallEvent, CallJournal, ChangedBy, RepairRecord, SecretsPort } from './ports/journal.ts';
export type { MediaPort } from './ports/media.ts';
export type {
  HttpClient,
  HttpRequest,
  HttpResponse,
  ModelPort,
  Summaries,
  Summary,
  SummaryRequest,
} from './ports/network.ts';
export type { EnvelopeGone, EnvelopeInfo, EnvelopeMeta, EnvelopeStore, EnvelopeWriter } from './ports/outputs.ts';
export type { Answer, Question, TodoItem, TodoList, TodoStatus, Todos, UserPrompt } from './ports/people.ts';
export type { CallFacts, Isolation, Level, Mode, PolicyPort, PolicyVerdict } from './ports/policy.ts';
export type { CapabilityPorts, PortSet, Use, UsesPorts } from './ports/unlocked.ts';
