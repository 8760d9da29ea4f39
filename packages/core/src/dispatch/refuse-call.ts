import { digestOf, inputDigest } from '../approval/digest-call.ts';
import { readsOnly } from '../approval/require-approval.ts';
import type { JsonObject } from '../contract/json.ts';
import type { RepairRecord } from '../contract/ports.ts';
import type { ToolCall } from '../contract/tool-call.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';
import type { ToolError } from '../errors.ts';
import type { RepairedArguments } from '../repair/repair-arguments.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';
import { type GuardedCall, guardedCall } from './guard-loops.ts';
import type { RefusedPlan } from './plan.ts';

/** What the ladders made of a call; `input` bears our field names and is not yet held against the schema. */
export type KnownCall = {
  call: ToolCall;
  spec: ToolSpec | null;
  input: JsonObject;
  repaired: RepairedArguments;
  deps: Pick<DispatcherDeps, 'catalog' | 'policy' | 'parser'>;
};

export function refuseCall(known: KnownCall, error: ToolError, isAttempt: boolean): RefusedPlan {
  const { call, spec, input, deps } = known;
  return {
    kind: 'refused',
    call,
    spec,
    input,
    error,
    level: null,
    inputDigest: spec
      ? inputDigest(spec.name, deps.catalog.version(spec.name), input)
      : digestOf({ tool: call.name, input }),
    repair: repairRecord(known),
    concurrent: spec !== null && spec.parallel === true && !spec.interactive && readsOnly(spec.capabilities),
    guarded: guardedOf(known),
    isAttempt,
  };
}

/** Counted as it came out of both ladders; a tool that does not exist is counted by the name it was called. */
export function guardedOf({ call, spec, input }: KnownCall): GuardedCall {
  if (spec) return guardedCall(spec, input);
  return { name: call.name, input, reads: false, writes: false, runs: false, pollable: false };
}

const shownCharacters = 2_000;

/** Null where nothing had to be mended. */
export function repairRecord({ call, spec, repaired }: KnownCall): RepairRecord | null {
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
