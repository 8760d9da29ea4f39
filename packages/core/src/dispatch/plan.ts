import type { JsonObject } from '../contract/json.ts';
import type { CallFacts, Level, PolicyVerdict, RepairRecord } from '../contract/ports.ts';
import type { ToolCall, ToolOutput } from '../contract/tool-call.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';
import type { ToolError } from '../errors.ts';

/** A judged call. Only a ready one can reach `execute`, and one that must be asked about only through `approveCall`. */
export type Plan = ReadyPlan | RefusedPlan;

export type ReadyPlan = {
  kind: 'ready';
  call: ToolCall;
  spec: ToolSpec;
  input: JsonObject;
  warnings: readonly string[];
  level: Level;
  /** Reads only, for this one input: by capability, or by a verdict the lowering list admits. */
  readOnly: boolean;
  /** May overlap its equals: read-only, parallel, auto and not interactive. */
  concurrent: boolean;
  decision: 'run' | 'ask';
  /** Why a person is asked; empty where nobody is. */
  reason: string;
  facts: CallFacts;
  /** What a rule demands of those who answer; undefined means anyone who may. */
  approvers: PolicyVerdict['approvers'];
  /** SHA-256 of RFC 8785 JSON of tool, version and input. */
  inputDigest: string;
  repair: RepairRecord | null;
};

export type RefusedPlan = {
  kind: 'refused';
  call: ToolCall;
  /** Null where no tool of that name exists. */
  spec: ToolSpec | null;
  error: ToolError;
  /** A refused read keeps its place in its batch; any other refusal separates like a writer. */
  concurrent: boolean;
  input: JsonObject;
  level: Level | null;
  inputDigest: string;
  repair: RepairRecord | null;
  /** Whether the loop guard counts it: a failure of the tool, or nothing at all. */
  counts: 'failure' | 'nothing';
};

/** How a slot was filled. A failure is this call's alone. */
export type Outcome = {
  plan: Plan;
  ending: { kind: 'returned'; output: ToolOutput } | { kind: 'failed'; error: ToolError };
  /** Set where a person changed the input before it ran. */
  input: JsonObject;
  tookMs: number;
  /** The result of an earlier delivery of the same call id: returned as it was stored. */
  stored: import('../contract/tool-call.ts').ToolResult | null;
};
