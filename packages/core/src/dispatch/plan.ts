import type { JsonObject } from '../contract/json.ts';
import type { CallFacts, ChangedBy, Level, PolicyPort, PolicyVerdict, RepairRecord } from '../contract/ports.ts';
import type { ToolCall, ToolOutput, ToolResult } from '../contract/tool-call.ts';
import type { InputVerdict, ToolSpec } from '../contract/tool-spec.ts';
import type { ToolError } from '../errors.ts';
import type { GuardedCall } from './guard-loops.ts';

/** A judged call. Only a ready one can reach `execute`, and one that must be asked about only through `approveCall`. */
export type Plan = ReadyPlan | RefusedPlan;

/** Known of every plan: `input` is what was understood, which for a refused one may be little. */
type Judged = {
  call: ToolCall;
  input: JsonObject;
  /** SHA-256 of RFC 8785 JSON of tool, version and input. */
  inputDigest: string;
  repair: RepairRecord | null;
  /** May overlap its equals; a refused read keeps its place in the batch, any other refusal separates like a writer. */
  concurrent: boolean;
  guarded: GuardedCall;
  /** False where the model could not know better: a cut-off call, or the first call of a tool it had no schema of. */
  isAttempt: boolean;
};

export type ReadyPlan = Judged & {
  kind: 'ready';
  spec: ToolSpec;
  warnings: readonly string[];
  level: Level;
  /** Reads only, for this one input: by capability, or by a verdict the lowering list admits. */
  readOnly: boolean;
  decision: 'run' | 'ask';
  /** Why a person is asked; empty where nobody is. */
  reason: string;
  facts: CallFacts;
  /** The snapshot it was judged by; where another is in force by the time it runs, it is judged again. */
  policy: PolicyPort;
  verdict: InputVerdict;
  approvers: PolicyVerdict['approvers'];
  /** Set where the input is not the one the model wrote. */
  changedBy?: ChangedBy;
};

export type RefusedPlan = Judged & {
  kind: 'refused';
  /** Null where no tool of that name exists. */
  spec: ToolSpec | null;
  level: Level | null;
  error: ToolError;
};

/** How a slot was filled. A failure is this call's alone. */
export type Outcome = {
  /** The plan that ran: not the first one where a person or a hook changed the input. */
  plan: Plan;
  ending: Ending;
  tookMs: number;
};

export type Ending =
  | { kind: 'returned'; output: ToolOutput }
  /** `reached` tells an error of the tool, whose words may come from outside, from one of ours. */
  | { kind: 'failed'; error: ToolError; reached: boolean }
  /** The call ran before under this id; its result stands as it was stored. */
  | { kind: 'stored'; result: ToolResult };
