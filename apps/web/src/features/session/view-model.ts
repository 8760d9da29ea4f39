import type { EventOf, Mode } from '../../trpc/types.ts';

export type Result = EventOf<'call-finished'>['result'];
export type Repair = NonNullable<EventOf<'call-planned'>['repair']>;
export type Level = 'auto' | 'suggest' | 'required';
export type Question = EventOf<'question-asked'>['questions'][number];
export type Answer = EventOf<'question-answered'>['answers'][number];
export type TodoItem = EventOf<'todos-changed'>['items'][number];
export type SandboxView = Omit<EventOf<'sandbox-changed'>, 'kind'>;
export type Decision = Omit<EventOf<'approval-decided'>, 'kind' | 'approvalId' | 'callId'>;
export type ApprovalView = Omit<EventOf<'approval-required'>, 'kind'> & { decided: Decision | null };

/** `textRef` leads to the whole text where the event holds only its head. */
export type MessageItem = { kind: 'message'; id: string; at: number; text: string; textRef: string | null; by: string };
/** One answer of the model. `text` grows while it streams and is replaced by the whole when it is complete. */
export type StepItem = {
  kind: 'step';
  id: string;
  at: number;
  step: number;
  text: string;
  textRef: string | null;
  reasoning: string;
  state: 'streaming' | 'complete' | 'cut_off';
  forged: number;
};
export type CallState = 'drafted' | 'planned' | 'waiting' | 'running' | 'done' | 'failed' | 'unknown';
export type CallItem = {
  kind: 'call';
  id: string;
  at: number;
  turnId: string;
  stepId: string;
  name: string;
  tool: string | null;
  title: string;
  input: Record<string, unknown>;
  argumentsText: string;
  level: Level | null;
  decision: 'run' | 'ask' | 'refused' | null;
  readOnly: boolean;
  repair: Repair | null;
  state: CallState;
  approval: ApprovalView | null;
  questions: Question[] | null;
  answers: Answer[] | null;
  progress: string | null;
  startedAt: number | null;
  finishedAt: number | null;
  result: Result | null;
};
export type NoticeItem = {
  kind: 'notice';
  id: string;
  at: number;
  level: 'info' | 'warning' | 'error';
  text: string;
  next: string | null;
};
/** Something the page says in its own words; `name` picks them. */
export type MarkItem = {
  kind: 'mark';
  id: string;
  at: number;
  name: 'discarded' | 'resumed' | 'compacted' | 'renewed' | 'prefixBroken';
  detail: string;
};
export type TurnEndItem = {
  kind: 'turn-end';
  id: string;
  at: number;
  turnId: string;
  status: EventOf<'turn-finished'>['status'];
  reason: string | null;
  tookMs: number;
};
/** A part of the conversation that the provider refused; `seq` names the event to those who leave it out. */
export type RejectedItem = {
  kind: 'rejected';
  id: string;
  at: number;
  seq: number;
  reason: string;
  block: EventOf<'request-rejected'>['block'];
  dropped: boolean;
};
export type Item = MessageItem | StepItem | CallItem | NoticeItem | MarkItem | RejectedItem | TurnEndItem;

/** One request as it went out; `prefixHash` is `<tools>:<sha256>/<sha256>/<messages>:<sha256>`. */
export type RequestFact = {
  turnId: string;
  step: number;
  prefixHash: string;
  appendOnly: boolean;
  tools: number;
  bytes: number;
};

export type PendingMessage = { messageId: string; text: string; state: 'sending' | 'failed'; error: string | null };
export type Usage = { inputTokens: number; cachedTokens: number; outputTokens: number };
export type SessionStatus = 'idle' | 'running' | 'waiting' | 'failed';

/** Everything the session page shows, made of nothing but stored events and messages still on their way. */
export type SessionView = {
  lastSeq: number;
  title: string | null;
  mode: Mode | null;
  modelId: string | null;
  status: SessionStatus | null;
  items: Item[];
  queued: { messageId: string; text: string }[];
  pending: PendingMessage[];
  todos: TodoItem[];
  sandbox: SandboxView | null;
  usage: Usage;
  activated: string[];
  requests: RequestFact[];
  turn: { turnId: string; modelId: string; startedAt: number; stepId: string | null } | null;
  /** Rises with every change of files, so that the tree knows when to look again. */
  filesVersion: number;
  /** Rises when something changed that the event does not name, such as a message taken back from the queue. */
  changeVersion: number;
};

export const emptyView: SessionView = {
  lastSeq: 0,
  title: null,
  mode: null,
  modelId: null,
  status: null,
  items: [],
  queued: [],
  pending: [],
  todos: [],
  sandbox: null,
  usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
  activated: [],
  requests: [],
  turn: null,
  filesVersion: 0,
  changeVersion: 0,
};
