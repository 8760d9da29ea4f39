import type { OutputStream } from '../tool-call.ts';

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
  /** All a command printed, for whoever sees its end first; null for everybody after. */
  whole(processId: string): readonly OutputStream[] | null;
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
