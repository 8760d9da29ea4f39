import type { Clock } from '../contract/ports.ts';
import type { ToolDispatcher } from '../contract/tool-dispatcher.ts';
import type { ModelClient, TranscriptItem } from './model-client.ts';
import type { SessionEvent } from './turn-event.ts';

/** What a turn itself writes to the session's log; call events come from the dispatcher's journal. */
export type TurnEvent = Extract<
  SessionEvent,
  {
    kind:
      | 'turn-started'
      | 'step-started'
      | 'text-appended'
      | 'reasoning-appended'
      | 'step-discarded'
      | 'step-completed'
      | 'notice-added'
      | 'usage-recorded'
      | 'compacted'
      | 'request-rejected'
      | 'turn-finished';
  }
>;

/** `append` returns once it is stored; `post` is only ordered and never awaited. */
export type TurnSink = { append(event: TurnEvent): Promise<void>; post(event: TurnEvent): void };

export type Compaction = Omit<Extract<SessionEvent, { kind: 'compacted' }>, 'kind'>;

export type TurnDeps = {
  turnId: string;
  model: ModelClient;
  dispatcher: ToolDispatcher;
  /** One that ends in calls without results is finished first, then the model is asked. */
  transcript: readonly TranscriptItem[];
  system: string;
  sink: TurnSink;
  signal: AbortSignal;
  clock: Clock;
  resumed?: boolean;
  /** `prefixHash` of the session's last `step-started`; null or absent before the first request and after a compaction. */
  previousPrefix?: string | null;
  /** Asked before each request: why its prefix starts anew, such as another model; null while it only grows. */
  renewPrefix?(): Promise<Compaction | null>;
  /** Messages that were queued meanwhile; taken between steps and before the turn would end. */
  takeFollowUps?(): Promise<TranscriptItem[]>;
  /** Requests of one turn; default 200. */
  maxSteps?: number;
};

export type TurnEnd = {
  status: 'completed' | 'stopped' | 'failed' | 'halted';
  reason: string | null;
  /** The whole transcript, what this turn added included. */
  transcript: TranscriptItem[];
  /** Hand it to the next turn as `previousPrefix`. */
  prefix: string | null;
};
