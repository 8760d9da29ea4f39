import type { Capability } from '../capability.ts';
import type { JsonObject } from '../json.ts';

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
