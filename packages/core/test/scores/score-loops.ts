import type { JsonObject } from '../../src/contract/json.ts';
import { type GuardedCall, LoopGuard } from '../../src/dispatch/guard-loops.ts';
import { repairArguments } from '../../src/repair/repair-arguments.ts';
import { repairToolName } from '../../src/repair/repair-tool-name.ts';
import { brief, type RowScore, score, unless } from './score.ts';

type CoreStep = {
  name: string;
  args: JsonObject;
  outcome?: 'ok' | 'fail' | 'denied' | 'hydrated' | 'truncated';
  writes?: boolean;
  pollable?: boolean;
  expect: { verdict: string; after: string };
};
export type CoreLoop = { id: string; steps: CoreStep[] };

/** Tools of the vectors that run programs, as the specs of such tools say by capability. */
const runsPrograms = /^(run_|exec_shell$)/;

export function guardedCall(
  name: string,
  input: JsonObject,
  flags: { writes?: boolean; pollable?: boolean } = {},
): GuardedCall {
  const writes = flags.writes ?? false;
  const runs = runsPrograms.test(name);
  return { name, input, reads: !writes && !runs, writes, runs, pollable: flags.pollable ?? false };
}

export function scoreCoreLoop(row: CoreLoop): RowScore {
  const guard = new LoopGuard();
  const failures = row.steps.flatMap((step, index) => {
    const got = takeStep(guard, step, `${row.id} ${index}`);
    const meets = got.verdict === step.expect.verdict && got.after === step.expect.after;
    return unless(meets, `step ${index + 1}: ${got.verdict}, ${got.after}`);
  });
  return score(row.id, failures);
}

function takeStep(guard: LoopGuard, step: CoreStep, resultDigest: string): { verdict: string; after: string } {
  const call = guardedCall(step.name, step.args, step);
  // Cut-off and hydrated calls never reach the count: planning refuses them before.
  const charged = step.outcome !== 'hydrated' && step.outcome !== 'truncated';
  const verdict = charged ? guard.count(call).kind : 'not_charged';
  if (verdict !== 'proceed') return { verdict, after: guard.halted() === null ? 'none' : 'halt' };
  const kind = step.outcome === 'ok' ? 'succeeded' : step.outcome === 'fail' ? 'failed' : 'neither';
  return { verdict, after: guard.record(call, { kind, resultDigest }).kind };
}

type Step = {
  tool?: string;
  /** Text stands for arguments as the model wrote them. */
  args?: JsonObject | string;
  ok?: boolean;
  result?: string;
  newUserTurn?: boolean;
  compaction?: boolean;
  parallel?: Step[];
};
type Expectation = {
  blockAt?: number;
  warnAt?: number;
  haltAt?: number;
  block?: boolean;
  warn?: boolean;
  halt?: boolean;
  dedupe?: boolean;
  or?: Expectation;
};
export type OwnLoop = { id: string; steps: Step[]; expect: Expectation };
type Seen = { blockAt: number | null; warnAt: number | null; haltAt: number | null; runs: number; deduped: boolean };

export function scoreOwnLoop(row: OwnLoop): RowScore {
  const seen = play(row.steps);
  const meets = fits(row.expect, seen) || (row.expect.or !== undefined && fits(row.expect.or, seen));
  return score(row.id, unless(meets, brief(seen)));
}

function fits(want: Expectation, seen: Seen): boolean {
  return (
    (want.blockAt === undefined || seen.blockAt === want.blockAt) &&
    (want.warnAt === undefined || seen.warnAt === want.warnAt) &&
    (want.haltAt === undefined || seen.haltAt === want.haltAt) &&
    (want.block !== false || seen.blockAt === null) &&
    (want.warn !== false || seen.warnAt === null) &&
    (want.halt !== false || seen.haltAt === null) &&
    (want.dedupe === undefined || seen.deduped === want.dedupe)
  );
}

function play(steps: readonly Step[]): Seen {
  const guard = new LoopGuard();
  const registered = registeredIn(steps);
  const seen: Seen = { blockAt: null, warnAt: null, haltAt: null, runs: 0, deduped: false };
  let number = 0;
  for (const step of steps) {
    if (step.newUserTurn) guard.beginTurn();
    const before = seen.runs;
    const calls = step.parallel ?? [step];
    for (const call of calls) {
      if (call.tool === undefined) continue;
      number += 1;
      takeCall(guard, registered, call, { seen, number });
    }
    if (step.parallel && calls.length > 1) seen.deduped = seen.runs - before === 1;
  }
  return seen;
}

function takeCall(
  guard: LoopGuard,
  registered: ReadonlySet<string>,
  step: Step,
  at: { seen: Seen; number: number },
): void {
  const { seen, number } = at;
  const name = repairToolName(step.tool ?? '', registered);
  const tool = name.kind === 'resolved' ? name.name : (step.tool ?? '');
  const call = guardedCall(tool, inputOf(step), {
    writes: tool === 'write_file' || tool === 'edit_file',
    pollable: tool === 'poll_job',
  });
  const verdict = guard.count(call);
  if (verdict.kind === 'block') seen.blockAt ??= number;
  if (verdict.kind !== 'proceed') return;
  seen.runs += 1;
  const kind = step.result?.startsWith('denied') ? 'neither' : step.ok ? 'succeeded' : 'failed';
  const notice = guard.record(call, { kind, resultDigest: step.result ?? '' });
  if (notice.kind === 'warn') seen.warnAt ??= number;
  if (notice.kind === 'halt') seen.haltAt ??= number;
}

function inputOf({ args = {} }: Step): JsonObject {
  return typeof args === 'string' ? repairArguments(args, 'full_ladder').value : args;
}

/** Every tool that a row calls by a plain name exists, unless its result says that it does not. */
function registeredIn(steps: readonly Step[]): Set<string> {
  const registered = new Set(['read_file', 'write_file', 'edit_file', 'poll_job']);
  for (const { tool = '', result } of steps.flatMap((step) => step.parallel ?? [step])) {
    const isPlain = /^[a-z][a-z0-9_]*$/.test(tool) && !result?.startsWith('unknown');
    if (isPlain && repairToolName(tool, registered).kind !== 'resolved') registered.add(tool);
  }
  return registered;
}
