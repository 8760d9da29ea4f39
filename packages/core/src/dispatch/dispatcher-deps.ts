import type { ApprovalLedger } from '../approval/approval-ledger.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { JsonObject } from '../contract/json.ts';
import type {
  ApprovalPort,
  CallJournal,
  Clock,
  CommandParser,
  EnvelopeStore,
  MediaPort,
  ModelPort,
  PolicyPort,
  PortSet,
  RandomBytes,
  SecretsPort,
  SubjectPort,
} from '../contract/ports.ts';
import type { SessionCatalog } from './session-catalog.ts';
import type { LockToken, ToolLock } from './tool-lock.ts';

/** What the model was last shown for an input, by its digest. */
export type LastAnswers = Map<string, { callId: string; contentDigest: string }>;

/** Everything the pipeline is wired to; one set per session, so that nothing crosses sessions. */
export type DispatcherDeps = {
  /** Built by `createSessionCatalog`; frozen but for activations. */
  catalog: SessionCatalog;
  /** The full set for one call; a tool is handed only the ports its declaration unlocks. */
  ports(callId: string, held: LockToken): PortSet;
  /** The newest snapshot; read once per plan. */
  policy(): PolicyPort;
  /** What the model that makes the calls was told its tools in; absent means as they are. */
  dialect?(): Dialect;
  /** Null grades every command line as one that executes. */
  parser: CommandParser | null;
  /** Null means nobody can be asked, so whatever needs a person is denied. */
  approvals: ApprovalPort | null;
  subjects: SubjectPort;
  ledger: ApprovalLedger;
  journal: CallJournal;
  envelopes: EnvelopeStore;
  /** What the model was last shown for an input, where this dispatcher takes a conversation over. */
  answers?: LastAnswers;
  /** The organization's model for summaries, as people set it last; null where there is none. */
  cheapModel?(): ModelPort | null;
  /** Absent: images that are too large for models are left out. */
  media?: MediaPort | undefined;
  secrets: SecretsPort;
  /** One per sandbox: sub-agents of a session share it. */
  lock: ToolLock;
  /** Set where this dispatcher serves a running call: its calls share what that one holds. */
  parentLock?: LockToken;
  /** Calls of one batch at once; default 8. */
  maxConcurrency?: number;
  clock: Clock;
  randomBytes: RandomBytes;
  /** May change the input of a planned call, which is then judged anew; null leaves it as it is. */
  rewrite?(tool: string, input: JsonObject): Promise<JsonObject | null>;
  /** Spans of a batch: begun in order, ended in reverse, so that they nest. */
  spans?: { begin(callId: string): void; end(callId: string): void };
  /** Bugs and failed writes, for the operator's log; never holds content. */
  report(problem: { message: string; cause: unknown }): void;
};
