import type { Capability } from '../contract/capability.ts';
import type { Level, PolicyVerdict, Use } from '../contract/ports.ts';

export type ApprovalFacts = {
  capabilities: ReadonlySet<Capability>;
  uses: ReadonlySet<Use>;
  builtin: boolean;
  /** A level the tool declares for every input; counts like the verdict for one. */
  declared?: Level | undefined;
  verdict: { level?: Level | undefined; readOnly?: boolean | undefined };
  /** The host's lowering list names the tool, and its conditions hold for this session. */
  mayLower: boolean;
  /** Verdict of the host policy for each host in the input; empty where the input names none. */
  hosts: readonly ('allow' | 'ask' | 'deny')[];
  rule: PolicyVerdict['effect'];
};

export type Requirement = {
  level: Level;
  readOnly: boolean;
  /** Required for no other reason than that it runs code, and the sandbox holds what it runs. */
  contained: boolean;
  /** The host policy is the only reason to ask, so an answer may stand for that host. */
  hostOnly: boolean;
};

const rank: Record<Level, number> = { auto: 0, suggest: 1, required: 2 };
export const stricter = (one: Level, other: Level): Level => (rank[one] >= rank[other] ? one : other);

/** Derived, never a knob of the tool; the first match wins. Total: contradictions fall to the strict side. */
export function baseLevel(facts: Pick<ApprovalFacts, 'capabilities' | 'uses' | 'builtin'>): Level {
  const { capabilities } = facts;
  const has = (capability: Capability) => capabilities.has(capability);
  if (has('executes_code') || has('requires_approval') || has('external_effect')) return 'required';
  if (has('writes_files')) return 'suggest';
  if (has('read_only')) return 'auto';
  return facts.builtin && isInward(facts) ? 'auto' : 'required';
}

/** Nothing but ports that end inside the session. */
export function isInward({ capabilities, uses }: Pick<ApprovalFacts, 'capabilities' | 'uses'>): boolean {
  return uses.size > 0 && [...capabilities].every((one) => one === 'spends_tokens' || one === 'sandboxable');
}

/** A claim to read only does not survive a capability that contradicts it. */
export function readsOnly(capabilities: ReadonlySet<Capability>): boolean {
  return (
    capabilities.has('read_only') &&
    !capabilities.has('writes_files') &&
    !capabilities.has('executes_code') &&
    !capabilities.has('external_effect')
  );
}

/** Capabilities, host policy, the tool's own verdict and the rules to one level. Refusals are the caller's. */
export function requireApproval(facts: ApprovalFacts): Requirement {
  const base = baseLevel(facts);
  const verdict = strictest([facts.declared, facts.verdict.level]);
  const own = verdict === null ? base : facts.mayLower ? verdict : stricter(base, verdict);
  const hostAsks = facts.hosts.includes('ask');
  const afterRules = applyRule(own, facts);
  // The host policy stays a floor: neither a lowering verdict nor an allow rule opens a host that asks.
  const level = hostAsks ? 'required' : afterRules;
  const contained =
    level === 'required' &&
    !hostAsks &&
    facts.rule !== 'require' &&
    facts.capabilities.has('executes_code') &&
    facts.capabilities.has('sandboxable') &&
    !facts.capabilities.has('external_effect') &&
    !facts.capabilities.has('requires_approval');
  return {
    level,
    readOnly: readsOnly(facts.capabilities) || (facts.mayLower && facts.verdict.readOnly === true),
    contained,
    hostOnly: hostAsks && rank[afterRules] < rank.required,
  };
}

function applyRule(level: Level, facts: ApprovalFacts): Level {
  if (facts.rule === 'require') return 'required';
  if (facts.rule === 'suggest') return stricter(level, 'suggest');
  return facts.rule === 'allow' && facts.mayLower ? 'auto' : level;
}

function strictest(levels: readonly (Level | undefined)[]): Level | null {
  return levels.reduce<Level | null>(
    (held, one) => (one === undefined ? held : held === null ? one : stricter(held, one)),
    null,
  );
}
