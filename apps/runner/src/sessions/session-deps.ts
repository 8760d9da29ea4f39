import type { Catalog, Clock, CommandParser, Isolation, MediaPort, RandomBytes } from '@oneslot/core';
import type { SandboxClient } from '@oneslot/sandboxd';
import type { ModelChooser } from '../models/choose-model.ts';
import type { Stores } from '../store/contract.ts';
import type { EventLog } from './event-log.ts';

/** What running sessions needs of the rest of the runner. */
export type SessionDeps = {
  /** Which process holds a lease. */
  runnerId: string;
  stores: Pick<
    Stores,
    'sessions' | 'messages' | 'turns' | 'approvals' | 'grants' | 'envelopes' | 'questions' | 'models'
  >;
  log: EventLog;
  models: ModelChooser;
  sandboxes: {
    open(sessionId: string): Promise<SandboxClient>;
    /** Starts it while the model answers; a failure shows when it is opened. */
    warm(sessionId: string): void;
    /** Ends this runner's connection; the sandbox goes on for whoever holds the session. */
    leave(sessionId: string): void;
    isolation: Isolation;
    imageDigest(): string;
  };
  catalog: Catalog;
  parser: CommandParser | null;
  /** Absent: images that are too large for models are left out. */
  media?: MediaPort;
  clock: Clock;
  random: RandomBytes;
  /** The operator's log: causes, never content. */
  report(problem: { message: string; cause: unknown }): void;
};
