import type { JsonObject } from '../json.ts';
import type { ToolResult } from '../tool-call.ts';
import type { Level } from './policy.ts';

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
      /** Set where the call is planned again because its input is no longer the model's. */
      changedBy?: ChangedBy;
    }
  | { kind: 'call-started'; callId: string; early: boolean }
  | { kind: 'call-progressed'; callId: string; text: string }
  | { kind: 'call-finished'; callId: string; result: ToolResult };

/** Who else may put another input in place of the model's. */
export type ChangedBy = 'person' | 'hook';

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
