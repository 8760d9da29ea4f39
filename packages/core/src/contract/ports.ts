import type { ErrorCode } from '../errors.ts';
import type { Capability } from './capability.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { ToolCall, ToolOutput, ToolResult } from './tool-call.ts';

/* ---- time and chance ------------------------------------------------------------------------------------ */

export type Clock = {
  /** Milliseconds since 1970, UTC. */ now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};
/** Unpredictable bytes; the caller encodes them. */
export type RandomBytes = (length: number) => Uint8Array;

/* ---- files ---------------------------------------------------------------------------------------------- */

export type FileKind = 'file' | 'directory' | 'link' | 'other';
/** `path` is workspace-relative with `/`. `linkTarget` is set on links; `outside` when it leaves the workspace. */
export type FileInfo = {
  path: string;
  kind: FileKind;
  sizeBytes: number;
  mtimeMs: number;
  mode: number;
  linkTarget?: string;
  outside?: boolean;
};
/** Raw bytes. `sha256` (hex) covers the whole file and is null for a window of a file above 50 MiB. */
export type FileBytes = { path: string; bytes: Uint8Array; offset: number; sizeBytes: number; sha256: string | null };
/** Lines [from, to], 1-based and inclusive, already decoded, without line endings. `totalLines` is null when not counted. */
export type FileLines = {
  path: string;
  lines: string[];
  from: number;
  to: number;
  totalLines: number | null;
  sizeBytes: number;
  sha256: string | null;
  encoding: 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';
  eol: 'lf' | 'crlf' | 'mixed' | 'none';
};
/** What this session last saw of a file; the whole file counts as seen when `from` is 1 and `to` covers it. */
export type Seen = { sha256: string; from: number; to: number; totalLines: number };

export type ListRequest = { path: string; depth: number; all: boolean; limit: number };
/** Depth-first, folders before files, byte order. `hidden` counts what ignore rules left out. */
export type ListResult = { entries: FileInfo[]; hidden: number; stopped: boolean };

export type GrepRequest = {
  pattern: string;
  path: string;
  globs: readonly string[];
  output: 'content' | 'files' | 'count';
  context: number;
  ignoreCase: boolean;
  fixed: boolean;
  multiline: boolean;
  all: boolean;
  limit: number;
  offset: number;
};
export type GrepLine = { path: string; line: number; text: string; match: boolean };
export type GrepResult = {
  lines: GrepLine[];
  files: { path: string; count: number; mtimeMs: number }[];
  matches: number;
  matchesExact: boolean;
  filesMatched: number;
  skipped: number;
};

export type FindRequest = {
  pattern?: string;
  query?: string;
  path: string;
  extensions: readonly string[];
  kind: 'file' | 'directory' | 'any';
  sort: 'score' | 'mtime' | 'path';
  all: boolean;
  limit: number;
};
export type FindResult = { hits: (FileInfo & { score: number })[]; total: number };

/** Every path is workspace-relative or absolute under /workspace. All methods throw ToolError (tools.md A6). */
export type FileReader = {
  stat(path: string): Promise<FileInfo>;
  /** Whole file up to 50 MiB; a window where `offset`/`length` (bytes) are given. @throws too_large, binary is not judged */
  read(path: string, window?: { offset: number; length: number }): Promise<FileBytes>;
  /** @throws binary_file where the bytes are no text. */
  readLines(path: string, window: { from: number; maxLines: number; maxBytes: number }): Promise<FileLines>;
  list(request: ListRequest): Promise<ListResult>;
  grep(request: GrepRequest): Promise<GrepResult>;
  find(request: FindRequest): Promise<FindResult>;
  /** Up to three existing paths that look like this one. */
  nearest(path: string): Promise<string[]>;
  /** Freshness (tools.md A10): what this session last saw of `path`, and the record of it. */
  seen(path: string): Promise<Seen | null>;
  markSeen(path: string, seen: Seen): Promise<void>;
};

/** Writes are atomic (temporary file, then rename), keep mode bits and create parent folders. */
export type FileWriter = FileReader & {
  /**
   * `expectedSha256`: hex of the bytes that must be there now, null when the path must not exist.
   * @throws stale_file when the bytes differ, conflict when it exists though null was given
   */
  write(
    path: string,
    bytes: Uint8Array,
    options: { expectedSha256: string | null },
  ): Promise<{ path: string; sha256: string; created: boolean }>;
};

export type GitReader = { run(args: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> };

/* ---- commands ------------------------------------------------------------------------------------------- */

export type CommandRequest = {
  command: string;
  /** Workspace-relative; absent: where the last command of this session ended. */
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
  timeoutMs: number;
  background: boolean;
  tty: boolean;
};
export type CommandState = 'running' | 'exited';
/** `exitCode` is null while it runs and when a signal ended it. `cwd` is where the shell ended, workspace-relative. */
export type CommandResult = {
  processId: string;
  state: CommandState;
  exitCode: number | null;
  signal: string | null;
  durationMs: number;
  cwd: string;
  stdout: { name: 'stdout'; bytes: number; read(): AsyncIterable<Uint8Array> };
  stderr: { name: 'stderr'; bytes: number; read(): AsyncIterable<Uint8Array> };
  droppedBytes: number;
  listeningPorts: number[];
};
export type ProcessInfo = {
  processId: string;
  command: string;
  state: CommandState;
  exitCode: number | null;
  ageMs: number;
  lastLine: string;
  listeningPorts: number[];
};
export type PollRequest = {
  processId: string;
  waitMs: number;
  until: 'exit' | 'output' | 'match';
  pattern?: string;
  fromStart: boolean;
};
/** Only bytes new since this caller's last poll. */
export type PollResult = ProcessInfo & { text: string; droppedBytes: number; silentMs: number };

export type Processes = {
  list(): Promise<ProcessInfo[]>;
  poll(request: PollRequest, signal: AbortSignal): Promise<PollResult>;
  stop(processId: string, signalName: 'int' | 'term' | 'kill'): Promise<ProcessInfo>;
  /** Whether this session's agent started it (stopping one's own needs no approval). */
  owns(processId: string): boolean;
};
export type Shell = Processes & {
  run(request: CommandRequest, signal: AbortSignal, onOutput: (chunk: Uint8Array) => void): Promise<CommandResult>;
};

/** One simple command of a parsed line. `words` are literal after quote removal, null where only run time knows. */
export type SimpleCommand = {
  words: (string | null)[];
  /** Environment assignments in front. */
  assignments: { name: string; value: string | null }[];
  redirects: { operator: string; target: string | null; fd: string | null }[];
};
/** A node of the parsed line, close to tree-sitter-bash: named nodes only, positions are UTF-16 indices of the source. */
export type SyntaxNode = {
  type: string;
  text: string;
  start: number;
  end: number;
  field: string | null;
  isNamed: boolean;
  hasError: boolean;
  children: SyntaxNode[];
};
/** Parses one bash line. The runner loads tree-sitter-bash; core never loads WASM. */
export type CommandParser = { parse(command: string): SyntaxNode };

/* ---- network, model ------------------------------------------------------------------------------------- */

export type HttpRequest = {
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: string;
  limitBytes: number;
  timeoutMs: number;
};
export type HttpResponse = {
  url: string;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  cut: boolean;
};
export type HttpClient = { request(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> };
/** The session's cheap model; every call is charged to its budget. */
export type ModelPort = { complete(prompt: string, options: { maxTokens: number }): Promise<string> };

/* ---- people --------------------------------------------------------------------------------------------- */

export type Question = {
  id: string;
  header: string;
  question: string;
  options: { label: string; description?: string; recommended?: boolean }[];
  multi: boolean;
  freeText: boolean;
};
export type Answer = { id: string; labels: string[]; freeText: string | null; answeredBy: string; answeredAt: number };
export type UserPrompt = { ask(questions: readonly Question[], signal: AbortSignal): Promise<Answer[]> };

export type TodoStatus = 'pending' | 'in_progress' | 'completed' | 'blocked' | 'cancelled';
export type TodoItem = {
  id: string;
  content: string;
  status: TodoStatus;
  owner?: string;
  dependsOn: string[];
  note?: string;
};
export type TodoList = { version: number; items: TodoItem[] };
export type Todos = {
  read(): Promise<TodoList>;
  /** @throws conflict when `baseVersion` is given and is not the current one; the message holds the current list. */
  replace(items: readonly TodoItem[], baseVersion: number | null): Promise<TodoList>;
};

/* ---- outputs, catalog ----------------------------------------------------------------------------------- */

export type EnvelopeMeta = {
  callId: string;
  tool: string;
  origin: string;
  untrusted: boolean /** First byte that was cut away from what the model saw; null when nothing was cut. */;
  cutOffset: number | null;
};
export type EnvelopeInfo = EnvelopeMeta & {
  ref: string;
  bytes: number;
  lines: number;
  sha256: string;
  createdAt: number;
};
/** Scoped to one session: a ref of another session answers exactly like an unknown one. */
export type EnvelopeStore = {
  /** Rows become readable only with `finish`; `abort` leaves nothing. */
  open(meta: EnvelopeMeta): Promise<EnvelopeWriter>;
  info(ref: string): Promise<EnvelopeInfo | null>;
  /** Bytes [start, end). */
  read(ref: string, start: number, end: number): Promise<Uint8Array>;
  newest(limit: number): Promise<string[]>;
};
export type EnvelopeWriter = {
  ref: string;
  write(chunk: Uint8Array): Promise<void>;
  finish(cutOffset: number | null): Promise<EnvelopeInfo>;
  abort(): Promise<void>;
};

export type CatalogEntry = {
  name: string;
  family: string;
  blurb: string;
  requiredParameters: string[];
  resident: boolean;
};
export type CatalogPort = {
  search(query: string, options: { limit: number; family?: string }): CatalogEntry[];
  select(names: readonly string[]): { found: CatalogEntry[]; missing: { name: string; nearest: string[] }[] };
  families(): { family: string; count: number }[];
  /** Appends definitions behind the resident block from the next step on. */
  activate(names: readonly string[]): void;
};

/** The ports each capability unlocks in a tool's context. A capability that is not listed unlocks nothing. */
export type CapabilityPorts = {
  read_only: { files: FileReader; git: GitReader };
  writes_files: { files: FileWriter };
  executes_code: { shell: Shell };
  network: { http: HttpClient };
  spends_tokens: { model: ModelPort };
};

/** Ports a tool asks for by `uses`; they reach nothing outside the session. */
export type UsesPorts = {
  user: { user: UserPrompt };
  todos: { todos: Todos };
  outputs: { outputs: EnvelopeStore };
  catalog: { catalog: CatalogPort };
  processes: { processes: Processes };
};
export type Use = keyof UsesPorts;

/* ---- governance: what the pipeline needs, never a tool ---------------------------------------------------- */

export type Level = 'auto' | 'suggest' | 'required';
export type Mode = 'plan' | 'ask' | 'agent' | 'autopilot';
export type Isolation = 'none' | 'simulated' | 'namespace' | 'container' | 'vm';

/** Facts of one call that rules may match on. */
export type CallFacts = {
  tool: string;
  source: string;
  capabilities: readonly Capability[];
  input: JsonObject;
  command: readonly string[][];
  paths: readonly string[];
  hosts: readonly string[];
};
export type PolicyVerdict = {
  effect: 'deny' | 'require' | 'suggest' | 'allow' | 'none';
  ruleIds: readonly string[];
  reason: string;
  approvers?: { role: string; count: number; notRequester: boolean };
};
/** A snapshot: pure and synchronous, taken when the turn starts or the policy changes. */
export type PolicyPort = {
  mode: Mode;
  isolation: Isolation;
  /** Organization setting `auto_in_sandbox`. */
  autoInSandbox: boolean;
  /** Tools whose level may be lowered per input; nothing else ever is. */
  loweringList: ReadonlySet<string>;
  /** Why the budget stops every call now; null while there is budget. */
  budgetStop: string | null;
  evaluate(facts: CallFacts): PolicyVerdict;
  hostVerdict(host: string): 'allow' | 'ask' | 'deny';
};

export type Precondition = { path: string; sha256: string | null };
/** The canonical bytes a person approves: what is shown is what is hashed is what runs. */
export type ApprovalSubject = {
  tool: string;
  toolVersion: string;
  input: JsonObject;
  cwd: string;
  env: { name: string; valueSha256: string }[];
  paths: string[];
  hosts: string[];
  imageDigest: string;
  preconditions: Precondition[];
};
export type ApprovalRequest = {
  callId: string;
  level: Level;
  reason: string;
  subject: ApprovalSubject;
  digest: string;
  canonicalText: string;
  /** What "for this session" would admit, in words with examples; null where only this exact call can be approved. */
  sessionScope: { fingerprint: string; words: string; examples: string[] } | null;
  title: string;
  /** What a rule demands of those who answer; absent means anyone who may. */
  approvers?: NonNullable<PolicyVerdict['approvers']>;
};
export type ApprovalDecision =
  | { kind: 'approved'; scope: 'once' | 'session'; by: string; digest: string }
  | { kind: 'edited'; input: JsonObject; by: string }
  | { kind: 'denied'; by: string; reason: string | null }
  | { kind: 'expired' }
  | { kind: 'no_channel' };
/** Asks people and waits as long as it takes; the row comes first, the event second. Re-delivered calls find their row. */
export type ApprovalPort = { request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> };

/** Reads what a subject binds: resolved paths and their hashes, directory, environment, image. */
export type SubjectPort = {
  describe(
    paths: readonly string[],
  ): Promise<{ cwd: string; env: ApprovalSubject['env']; imageDigest: string; preconditions: Precondition[] }>;
};

/** Where the pipeline writes what happens. `append` returns once it is stored; `post` is only ordered. */
export type CallJournal = {
  append(event: CallEvent): Promise<void>;
  post(event: CallEvent): void;
  /** The stored result of a call that already ran in this session, else null. */
  finished(callId: string): Promise<ToolResult | null>;
};
export type CallEvent =
  | {
      kind: 'call-planned';
      callId: string;
      name: string;
      tool: string | null;
      title: string;
      input: JsonObject;
      inputDigest: string;
      level: Level | null;
      decision: 'run' | 'ask' | 'refused';
      readOnly: boolean;
      repair: RepairRecord | null;
    }
  | { kind: 'call-started'; callId: string; early: boolean }
  | { kind: 'call-progressed'; callId: string; text: string }
  | { kind: 'call-finished'; callId: string; result: ToolResult };
/** What the ladders did to a call; `before` and `after` are cut at 2,000 characters. */
export type RepairRecord = {
  rung: string;
  synthesized: boolean;
  unrepaired: boolean;
  before: string;
  after: string;
  nameBefore: string | null;
};

/** Secret values of the session by name; the redactor masks them wherever text is stored, shown or sent. */
export type SecretsPort = { values(): readonly { name: string; value: string }[] };

/** Everything a tool's context may hold, each port present only where it was declared. */
export type PortSet = {
  files?: FileReader | FileWriter;
  git?: GitReader;
  shell?: Shell;
  http?: HttpClient;
  model?: ModelPort;
  user?: UserPrompt;
  todos?: Todos;
  outputs?: EnvelopeStore;
  catalog?: CatalogPort;
  processes?: Processes;
};

export type { ErrorCode, JsonValue, ToolCall, ToolOutput };
