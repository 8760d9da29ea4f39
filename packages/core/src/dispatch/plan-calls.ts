import { digestOf, inputDigest } from '../approval/digest-call.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ToolCall } from '../contract/tool-call.ts';
import type { TurnEnding } from '../contract/tool-dispatcher.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';
import { ToolError } from '../errors.ts';
import { renameAliasFields } from '../repair/map-fields.ts';
import { type RepairedArguments, repairArguments } from '../repair/repair-arguments.ts';
import { repairToolName } from '../repair/repair-tool-name.ts';
import { journalPlan } from './call-journal.ts';
import type { DispatchState } from './dispatch-state.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';
import { type GuardedCall, type GuardVerdict, guardedCall } from './guard-loops.ts';
import { judgeInput } from './judge-input.ts';
import type { Plan, RefusedPlan } from './plan.ts';
import {
  cutOffCall,
  cutOffEffect,
  haltedTurn,
  hydration,
  repeatedCall,
  unknownTool,
  unreadableArguments,
  unsureArguments,
} from './refusals.ts';

export type PlanContext = {
  ending: TurnEnding;
  deps: Pick<DispatcherDeps, 'catalog' | 'policy' | 'parser'>;
  /** What the loop guard says; asked, not counted, so that planning stays pure. */
  guard(call: GuardedCall): GuardVerdict;
};

/** Judges the calls one after another; later ones see that earlier ones were attempted, and whether they will write. */
export function planCalls(calls: readonly ToolCall[], ending: TurnEnding, state: DispatchState): Plan[] {
  const plans: Plan[] = [];
  let pendingWrites = 0;
  for (const call of withOwnIds(calls)) {
    const plan = planCall(call, {
      ending,
      deps: state.deps,
      guard: (guarded) => state.guard.check(guarded, pendingWrites),
    });
    if (plan.isAttempt) state.guard.count(plan.guarded, pendingWrites);
    if (plan.kind === 'ready' && plan.guarded.writes) pendingWrites += 1;
    plans.push(plan);
    journalPlan(plan, state.deps);
  }
  return plans;
}

/** In the order of the law: cut-off → arguments → name → loops → schema → policy → level → mode. Pure, and never throws. */
export function planCall(call: ToolCall, context: PlanContext): Plan {
  const { deps, ending } = context;
  const repaired = repairArguments(call.argumentsText, ending === 'cut_off' ? 'strict_only' : 'full_ladder');
  const name = repairToolName(call.name, deps.catalog.names, repaired.value);
  const spec = name.kind === 'resolved' ? deps.catalog.find(name.name) : null;
  if (ending === 'cut_off' && repaired.unrepaired)
    return refusal({ call, spec, repaired, deps, error: cutOffCall(call), isAttempt: false });
  if (!spec) return refusal({ call, spec, repaired, deps, error: unknownTool(call, name), isAttempt: true });
  const input = renameAliasFields(call.name, spec.name, repaired.value, spec.inputSchema);
  const known = { call, spec, repaired, deps, input };
  const loops = context.guard(guardedCall(spec, input, false));
  if (loops.kind === 'halted') return refusal({ ...known, error: haltedTurn(loops.reason), isAttempt: false });
  if (loops.kind === 'block') return refusal({ ...known, error: repeatedCall(spec, loops.reason), isAttempt: true });
  if (spec.failClosed === undefined && repaired.unrepaired) {
    return refusal({ ...known, error: unreadableArguments(spec, call, repaired.unrepaired), isAttempt: true });
  }
  try {
    const parsed = spec.parseInput(input);
    spec.validate(parsed.input);
    const plan = judgeInput({
      ...known,
      input: parsed.input,
      warnings: parsed.warnings,
      repair: repairRecord(call, spec, repaired),
    });
    if (plan.kind === 'refused' || plan.readOnly) return plan;
    if (ending === 'cut_off') return refusal({ ...known, error: cutOffEffect(spec), isAttempt: false });
    return repaired.synthesized ? refusal({ ...known, error: unsureArguments(spec), isAttempt: true }) : plan;
  } catch (cause) {
    return refuseThrown(cause, known);
  }
}

type Refusal = {
  call: ToolCall;
  spec: ToolSpec | null;
  repaired: RepairedArguments;
  deps: PlanContext['deps'];
  error: ToolError;
  isAttempt: boolean;
  input?: JsonObject;
};

function refuseThrown(
  cause: unknown,
  known: Omit<Refusal, 'error' | 'isAttempt'> & { spec: ToolSpec; input: JsonObject },
): RefusedPlan {
  const { spec, input, deps } = known;
  if (!(cause instanceof ToolError)) {
    const error = new ToolError('internal', `${spec.name} could not judge its arguments.`, {
      next: 'Use another tool.',
      cause,
    });
    return refusal({ ...known, error, isAttempt: true });
  }
  // A model that was never shown the schema has not failed; it is shown the schema.
  const unseen =
    spec.load === 'deferred' && spec.failClosed === undefined && !deps.catalog.active().includes(spec.name);
  if (unseen && cause.code === 'invalid_input')
    return refusal({ ...known, error: hydration(spec, input, cause), isAttempt: false });
  return refusal({ ...known, error: cause, isAttempt: true });
}

function refusal({ call, spec, repaired, deps, error, isAttempt, input = repaired.value }: Refusal): RefusedPlan {
  const digest = spec
    ? inputDigest(spec.name, deps.catalog.version(spec.name), input)
    : digestOf({ tool: call.name, input });
  return {
    kind: 'refused',
    call,
    spec,
    input,
    error,
    level: null,
    inputDigest: digest,
    repair: repairRecord(call, spec, repaired),
    concurrent: spec !== null && keepsPlace(spec),
    guarded: spec
      ? guardedCall(spec, input, false)
      : { name: call.name, input, reads: false, writes: false, runs: false, pollable: false },
    isAttempt,
  };
}

function keepsPlace(spec: ToolSpec): boolean {
  return spec.parallel && !spec.interactive && guardedCall(spec, {}, false).reads;
}

const shownCharacters = 2_000;

function repairRecord(call: ToolCall, spec: ToolSpec | null, repaired: RepairedArguments): RefusedPlan['repair'] {
  const renamed = spec !== null && spec.name !== call.name;
  if (repaired.rung === 'strict' && !renamed) return null;
  return {
    rung: repaired.rung,
    synthesized: repaired.synthesized ?? false,
    unrepaired: repaired.unrepaired !== undefined,
    before: call.argumentsText.slice(0, shownCharacters),
    after: JSON.stringify(repaired.value).slice(0, shownCharacters),
    nameBefore: renamed ? call.name : null,
  };
}

/** Two calls of one id would share a slot in the journal; the later one gets an id of its own. */
function withOwnIds(calls: readonly ToolCall[]): ToolCall[] {
  const taken = new Set<string>();
  return calls.map((call) => {
    let callId = call.callId;
    for (let count = 2; taken.has(callId); count += 1) callId = `${call.callId}_${count}`;
    taken.add(callId);
    return callId === call.callId ? call : { ...call, callId };
  });
}
