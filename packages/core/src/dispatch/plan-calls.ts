import { applyMode } from '../approval/apply-mode.ts';
import { inputDigest } from '../approval/digest-call.ts';
import { isInward, readsOnly, requireApproval } from '../approval/require-approval.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ChangedBy, RepairRecord } from '../contract/ports.ts';
import type { ToolCall } from '../contract/tool-call.ts';
import type { TurnEnding } from '../contract/tool-dispatcher.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';
import { ToolError } from '../errors.ts';
import { renameAliasFields } from '../repair/map-fields.ts';
import { repairArguments } from '../repair/repair-arguments.ts';
import { repairToolName } from '../repair/repair-tool-name.ts';
import { journalPlan } from './call-journal.ts';
import type { DispatchState } from './dispatch-state.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';
import type { GuardedCall, GuardVerdict } from './guard-loops.ts';
import type { Plan, ReadyPlan } from './plan.ts';
import * as refusals from './refusals.ts';
import { guardedOf, type KnownCall, refuseCall, repairRecord } from './refuse-call.ts';
import { planMode, reasonFor, refusalOf, weighInput } from './weigh-input.ts';

type PlanDeps = Pick<DispatcherDeps, 'catalog' | 'policy' | 'parser' | 'dialect'>;

export type PlanContext = {
  ending: TurnEnding;
  deps: PlanDeps;
  /** What the loop guard says; asked, not counted, so that planning stays pure. */
  guard(call: GuardedCall): GuardVerdict;
};

/** Judges the calls one after another; later ones see that earlier ones were attempted, and whether they will write. */
export function planCalls(calls: readonly ToolCall[], ending: TurnEnding, state: DispatchState): Plan[] {
  let pendingWrites = 0;
  return withOwnIds(calls).map((call) => {
    const plan = planGuarded(call, ending, state, pendingWrites);
    if (plan.isAttempt) state.guard.count(plan.guarded, pendingWrites);
    if (plan.kind === 'ready' && plan.guarded.writes) pendingWrites += 1;
    journalPlan(plan, state.deps);
    return plan;
  });
}

/** The same verdict while the model still writes; nothing is counted or written down before the answer stands. */
export function planEarly(call: ToolCall, state: DispatchState): Plan {
  return planGuarded(call, 'complete', state, 0);
}

function planGuarded(call: ToolCall, ending: TurnEnding, state: DispatchState, pendingWrites: number): Plan {
  return planCall(call, { ending, deps: state.deps, guard: (guarded) => state.guard.check(guarded, pendingWrites) });
}

/** In the order of the law: cut-off → arguments → name → loops → schema → policy → level → mode. Pure, and never throws. */
export function planCall(call: ToolCall, context: PlanContext): Plan {
  const { deps, ending } = context;
  const repaired = repairArguments(call.argumentsText, ending === 'cut_off' ? 'strict_only' : 'full_ladder');
  const name = repairToolName(call.name, deps.catalog.names, repaired.value);
  const spec = name.kind === 'resolved' ? deps.catalog.find(name.name) : null;
  const input = spec ? ownFields(call, spec, repaired.value, deps) : repaired.value;
  const known: KnownCall = { call, spec, input, repaired, deps };
  if (ending === 'cut_off' && repaired.unrepaired) return refuseCall(known, refusals.cutOffCall(call), false);
  const loops = context.guard(guardedOf(known));
  if (loops.kind === 'halted') return refuseCall(known, refusals.haltedTurn(loops.reason), false);
  if (!spec) return refuseCall(known, refusals.unknownTool(call, name), true);
  if (loops.kind === 'block') return refuseCall(known, refusals.repeatedCall(spec, loops.reason), true);
  if (spec.failClosed === undefined && repaired.unrepaired) {
    return refuseCall(known, refusals.unreadableArguments(spec, call, repaired.unrepaired), true);
  }
  return planKnown(spec, known, ending);
}

/** Back from the names of the model's dialect, then from those of peers. */
function ownFields(call: ToolCall, spec: ToolSpec, value: JsonObject, deps: PlanDeps): JsonObject {
  const restored = deps.catalog.restoreInput(spec.name, deps.dialect?.() ?? 'plain', value);
  return renameAliasFields(call.name, spec.name, restored, spec.inputSchema);
}

function planKnown(spec: ToolSpec, known: KnownCall, ending: TurnEnding): Plan {
  try {
    const parsed = spec.parseInput(known.input);
    spec.validate(parsed.input);
    const guarded = guardedOf(known);
    const plan = judgeInput({ call: known.call, spec, ...parsed, repair: repairRecord(known), guarded }, known.deps);
    if (plan.kind === 'refused' || plan.readOnly) return plan;
    if (ending === 'cut_off') return refuseCall(known, refusals.cutOffEffect(spec), false);
    return known.repaired.synthesized
      ? refuseCall(known, refusals.unsureArguments(spec, known.repaired.value), true)
      : plan;
  } catch (cause) {
    return refuseThrown(cause, spec, known);
  }
}

function refuseThrown(cause: unknown, spec: ToolSpec, known: KnownCall): Plan {
  if (!(cause instanceof ToolError)) return refuseCall(known, refusals.brokenJudgement(spec, cause), true);
  // A model that was never shown the schema has not failed; it is shown the schema.
  const unseen =
    spec.load === 'deferred' && spec.failClosed === undefined && !known.deps.catalog.active().includes(spec.name);
  const isHydration = unseen && cause.code === 'invalid_input';
  return refuseCall(known, isHydration ? refusals.hydration(spec, known.input, cause) : cause, !isHydration);
}

export type InputToJudge = {
  call: ToolCall;
  spec: ToolSpec;
  /** Parsed and validated. */
  input: JsonObject;
  warnings: readonly string[];
  repair: RepairRecord | null;
  guarded: GuardedCall;
};

/**
 * Policy, level and mode over one parsed input, whether the model wrote it or a person or a hook changed it. What is
 * remembered of earlier answers also depends on the folder a call runs in, so `approveCall` looks that up.
 */
export function judgeInput(given: InputToJudge, deps: PlanDeps): Plan {
  const { spec, input } = given;
  const grounds = weighInput(spec, input, deps);
  const { policy, verdict, mayLower, rule, hosts } = grounds;
  const builtin = spec.source === 'builtin';
  const need = requireApproval({ ...spec, builtin, verdict, mayLower, hosts, rule: rule.effect });
  const decision = applyMode({
    mode: policy.mode,
    isolation: policy.isolation,
    level: need.level,
    readOnlyTool: readsOnly(spec.capabilities),
    inward: isInward(spec),
    contained: need.contained,
    asksInPlanMode: builtin && verdict.asksInPlanMode === true,
  });
  const overlaps = need.readOnly && !spec.interactive && (spec.parallel || (mayLower && verdict.readOnly === true));
  const judged = {
    ...given,
    inputDigest: inputDigest(spec.name, deps.catalog.version(spec.name), input),
    guarded: { ...given.guarded, reads: need.readOnly },
    isAttempt: true,
    level: need.level,
  };
  const error = refusalOf(spec, grounds) ?? (decision === 'refuse' ? planMode(spec) : null);
  if (error || decision === 'refuse')
    return { ...judged, kind: 'refused', error: error ?? planMode(spec), concurrent: overlaps };
  return {
    ...judged,
    kind: 'ready',
    readOnly: need.readOnly,
    concurrent: overlaps && need.level === 'auto' && decision === 'run',
    decision,
    reason: decision === 'ask' ? reasonFor(spec, need, grounds) : '',
    facts: grounds.facts,
    policy,
    verdict,
    approvers: rule.approvers,
  };
}

type ChangedInput = { input: JsonObject; by: ChangedBy };

/** @throws ToolError where an input that a person or a hook changed does not fit or is refused */
export function judgeChanged(plan: ReadyPlan, { input, by }: ChangedInput, deps: PlanDeps): ReadyPlan {
  const parsed = plan.spec.parseInput(input);
  plan.spec.validate(parsed.input);
  const judged = judgeInput({ ...plan, ...parsed }, deps);
  if (judged.kind === 'refused') throw judged.error;
  if (judged.inputDigest === plan.inputDigest) return judged;
  return { ...judged, changedBy: by };
}

/** @throws ToolError where policy or mode changed since it was planned, and refuse it now */
export function judgeAgain(plan: ReadyPlan, deps: PlanDeps): ReadyPlan {
  if (deps.policy() === plan.policy) return plan;
  const judged = judgeInput(plan, deps);
  if (judged.kind === 'refused') throw judged.error;
  return judged;
}

/** Two calls of one id would share a slot in the journal; the later one gets an id of its own. */
function withOwnIds(calls: readonly ToolCall[]): ToolCall[] {
  const taken = new Set<string>();
  return calls.map((call) => {
    let { callId } = call;
    for (let count = 2; taken.has(callId); count += 1) callId = `${call.callId}_${count}`;
    taken.add(callId);
    return callId === call.callId ? call : { ...call, callId };
  });
}
