import type { JsonObject } from '../../src/contract/json.ts';
import type { ToolCall, ToolResult } from '../../src/contract/tool-call.ts';
import type { ToolSpec } from '../../src/contract/tool-spec.ts';
import { batchPlans } from '../../src/dispatch/batch-plans.ts';
import { createDispatcher } from '../../src/dispatch/create-dispatcher.ts';
import type { DispatcherDeps } from '../../src/dispatch/dispatcher-deps.ts';
import type { LockToken } from '../../src/dispatch/tool-lock.ts';
import { ToolError } from '../../src/errors.ts';
import { fakeApprovals, fakePolicy } from '../../src/testing/fake-ports.ts';
import { toolSpec, wireDispatcher } from '../wire-dispatcher.ts';
import { brief, type RowScore, sameJson, score, unless } from './score.ts';

type PlanRow = {
  name: string;
  readOnly: boolean;
  parallel: boolean;
  approval: boolean;
  interactive: boolean;
  blocked?: string;
  rewrittenTo?: { approval: boolean };
  early?: { input: JsonObject };
  input?: JsonObject;
  nested?: PlanRow[];
};
export type BatchRow = {
  id: string;
  plans: PlanRow[];
  completionOrder?: number[];
  outcomes?: string[];
  maxConcurrency?: number;
  events?: Record<string, number>[];
  expect: {
    batches: { kind: string; calls: number[] }[];
    slots?: string[];
    started?: number[];
    startEvents?: number[];
    endEvents?: number[];
    resultOrder?: number[];
    maxObservedConcurrency?: number;
    executions?: number;
    nestedSlots?: string[][];
  };
};
type Seen = { results: ToolResult[]; started: number[]; spans: string[]; nested: string[][]; most: number };

export async function scoreBatch(row: BatchRow): Promise<RowScore> {
  const plans = row.plans.map((plan) => ({
    concurrent: plan.readOnly && plan.parallel && !plan.approval && !plan.interactive,
  }));
  const batches = batchPlans(plans).map(({ kind, indices }) => ({ kind, calls: [...indices] }));
  const failures = unless(sameJson(batches, row.expect.batches), `batches ${brief(batches)}`);
  if (row.plans.length > 0) failures.push(...slotFailures(row, await play(row)));
  return score(row.id, failures);
}

function slotFailures({ plans, expect: want }: BatchRow, seen: Seen): string[] {
  const same = (name: string, wanted: unknown, got: unknown) =>
    unless(wanted === undefined || sameJson(wanted, got), `${name} ${brief(got)}`);
  const spans = (sign: string, calls: number[] | undefined) => calls?.map((index) => `${sign}c${index}`);
  const order = seen.results.map((result) => Number(result.callId.slice(1)));
  return [
    ...same('results', want.resultOrder ?? plans.map((_, index) => index), order),
    ...same('slots', want.slots, seen.results.map(slotOf)),
    ...same('started', want.started, seen.started),
    ...same(
      'start events',
      spans('+', want.startEvents),
      seen.spans.filter((span) => span.startsWith('+')),
    ),
    ...same(
      'end events',
      spans('-', want.endEvents),
      seen.spans.filter((span) => span.startsWith('-')),
    ),
    ...same('at once', want.maxObservedConcurrency, seen.most),
    ...same('executions', want.executions, seen.started.length),
    ...same('nested slots', want.nestedSlots, seen.nested),
  ];
}

async function play(row: BatchRow): Promise<Seen> {
  const seen: Seen = { results: [], started: [], spans: [], nested: [], most: 0 };
  const abort = new AbortController();
  const gates = row.plans.map(() => Promise.withResolvers<void>());
  const held: { token?: LockToken; deps?: DispatcherDeps } = {};
  let running = 0;
  const run = async (index: number): Promise<string> => {
    seen.started.push(index);
    running += 1;
    seen.most = Math.max(seen.most, running);
    await (row.completionOrder ? gates[index]?.promise : Promise.resolve());
    const nested = row.plans[index]?.nested;
    if (nested && held.deps) seen.nested.push(await nestedCalls(nested, held.token, held.deps));
    running -= 1;
    if (row.outcomes?.[index] === 'error') throw new ToolError('not_found', 'It is not there.');
    return 'done';
  };
  const specs = row.plans.map((plan, index) => specOf(`tool_${index}`, plan, () => run(index)));
  const { dispatcher, deps } = wireDispatcher(specs, changesFor(row, { abort, seen, held }));
  held.deps = deps;
  startEarly(row, dispatcher, abort.signal);
  const dispatched = dispatcher.dispatch(callsOf(row), 'complete', abort.signal);
  for (const index of row.completionOrder ?? []) {
    await new Promise((resolve) => setImmediate(resolve));
    gates[index]?.resolve();
  }
  seen.results = await dispatched;
  return seen;
}

type Playing = { abort: AbortController; seen: Seen; held: { token?: LockToken } };

/** What the row wants of its surroundings: who answers, what a hook rewrites, how many run at once. */
function changesFor(row: BatchRow, { abort, seen, held }: Playing): Partial<DispatcherDeps> {
  const cancels = row.events?.some((event) => 'cancelDuring' in event) ?? false;
  const denies = row.outcomes?.includes('denied') ?? false;
  return {
    ports: (_, token) => {
      held.token = token;
      return {};
    },
    policy: () =>
      fakePolicy({
        mode: 'ask',
        evaluate: (facts) =>
          facts.paths.includes('denied')
            ? { effect: 'deny', ruleIds: ['r1'], reason: 'no' }
            : { effect: 'none', ruleIds: [], reason: '' },
      }),
    approvals: fakeApprovals((request) => {
      if (cancels) abort.abort();
      return denies
        ? { kind: 'denied', by: 'u', reason: null }
        : { kind: 'approved', scope: 'once', by: 'u', digest: request.digest };
    }),
    spans: { begin: (callId) => seen.spans.push(`+${callId}`), end: (callId) => seen.spans.push(`-${callId}`) },
    rewrite: async (tool) => (row.plans[Number(tool.slice(5))]?.rewrittenTo?.approval ? { host: 'ask' } : null),
    ...(row.maxConcurrency === undefined ? {} : { maxConcurrency: row.maxConcurrency }),
  };
}

function callsOf(row: BatchRow): ToolCall[] {
  return row.plans.map((plan, index) => ({
    callId: `c${index}`,
    name: `tool_${index}`,
    argumentsText: JSON.stringify(plan.blocked === 'hydrated' ? { wrong: true } : (plan.input ?? {})),
  }));
}

function startEarly(row: BatchRow, dispatcher: ReturnType<typeof createDispatcher>, signal: AbortSignal): void {
  for (const [index, { early }] of row.plans.entries()) {
    if (!early) continue;
    const argumentsText = JSON.stringify(early.input);
    dispatcher.startEarly({ callId: `c${index}`, name: `tool_${index}`, argumentsText }, signal);
  }
}

function specOf(name: string, plan: PlanRow, execute: () => Promise<string>): ToolSpec {
  return toolSpec({
    name,
    capabilities: new Set(plan.readOnly ? (['read_only'] as const) : plan.approval ? (['writes_files'] as const) : []),
    uses: new Set(plan.readOnly || plan.approval ? [] : (['todos'] as const)),
    parallel: plan.parallel,
    load: plan.blocked === 'hydrated' ? 'deferred' : 'resident',
    interactive: plan.interactive,
    parseInput: (input) => {
      if (input.wrong) throw new ToolError('invalid_input', 'It does not fit.');
      return { input, warnings: [] };
    },
    approvalFor: (input) => ({
      ...(plan.readOnly && plan.approval ? { level: 'required' as const } : {}),
      ...(plan.blocked === 'loop_guard' ? { paths: ['denied'] } : {}),
      ...(input.host === 'ask' ? { hosts: ['example.com'] } : {}),
    }),
    execute,
  });
}

async function nestedCalls(
  plans: PlanRow[],
  parentLock: LockToken | undefined,
  deps: DispatcherDeps,
): Promise<string[]> {
  const specs = plans.map((plan, index) => specOf(`inner_${index}`, plan, async () => 'done'));
  const { deps: own } = wireDispatcher(specs);
  const inner = createDispatcher({ ...deps, catalog: own.catalog, ...(parentLock ? { parentLock } : {}) });
  const calls = plans.map((_, index) => ({ callId: `n${index}`, name: `inner_${index}`, argumentsText: '{}' }));
  const results = await inner.dispatch(calls, 'complete', new AbortController().signal);
  return results.map((result) => result.code ?? 'ok');
}

function slotOf(result: ToolResult): string {
  if (result.ok) return 'ok';
  if (result.code === 'approval_denied') return 'denied';
  if (result.code === 'cancelled' || result.code === 'not_available') return result.code;
  if (result.code === 'denied_by_policy') return 'blocked';
  return result.content.includes('retry_required: true') ? 'hydrated' : 'error';
}
