import { describe, expect, it } from 'vitest';
import { createApprovalLedger } from '../approval/approval-ledger.ts';
import { registerTools } from '../catalog/register-tools.ts';
import type { JsonObject } from '../contract/json.ts';
import type { ToolCall, ToolResult } from '../contract/tool-call.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';
import { ToolError } from '../errors.ts';
import {
  fakeApprovals,
  fakeClock,
  fakeEnvelopes,
  fakeJournal,
  fakePolicy,
  fakeRandom,
  fakeSecrets,
  fakeSubjects,
  readCases,
} from '../testing/index.ts';
import { batchPlans } from './batch-plans.ts';
import { createDispatcher } from './create-dispatcher.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';
import { createSessionCatalog } from './session-catalog.ts';
import { type LockToken, ToolLock } from './tool-lock.ts';

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
type Row = {
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

const rows = readCases<Row>(new URL('../../../../cases/core/batching.json', import.meta.url));

describe('cases/core/batching.json: batches', () => {
  for (const row of rows) {
    it(row.id, () => {
      const plans = row.plans.map((plan) => ({
        concurrent: plan.readOnly && plan.parallel && !plan.approval && !plan.interactive,
      }));
      expect(batchPlans(plans).map(({ kind, indices }) => ({ kind, calls: [...indices] }))).toEqual(row.expect.batches);
    });
  }
});

describe('cases/core/batching.json: slots', () => {
  for (const row of rows.filter((one) => one.plans.length > 0)) {
    it(row.id, async () => {
      const seen = await play(row);
      const want = row.expect;
      expect(seen.results.map((result) => result.callId)).toEqual(row.plans.map((_, index) => `c${index}`));
      if (want.slots) expect(seen.results.map(slotOf)).toEqual(want.slots);
      if (want.started) expect(seen.started).toEqual(want.started);
      if (want.startEvents)
        expect(seen.spans.filter((span) => span.startsWith('+'))).toEqual(
          want.startEvents.map((index) => `+c${index}`),
        );
      if (want.endEvents)
        expect(seen.spans.filter((span) => span.startsWith('-'))).toEqual(want.endEvents.map((index) => `-c${index}`));
      if (want.maxObservedConcurrency !== undefined) expect(seen.most).toBe(want.maxObservedConcurrency);
      if (want.executions !== undefined) expect(seen.started).toHaveLength(want.executions);
      if (want.nestedSlots) expect(seen.nested).toEqual(want.nestedSlots);
    });
  }
});

async function play(row: Row) {
  const seen = {
    results: [] as ToolResult[],
    started: [] as number[],
    spans: [] as string[],
    nested: [] as string[][],
    most: 0,
  };
  const abort = new AbortController();
  const gates = row.plans.map(() => Promise.withResolvers<void>());
  let running = 0;
  const run = async (index: number, held: () => LockToken | undefined, deps: () => DispatcherDeps) => {
    seen.started.push(index);
    running += 1;
    seen.most = Math.max(seen.most, running);
    await (row.completionOrder ? gates[index]?.promise : Promise.resolve());
    if (row.plans[index]?.nested) seen.nested.push(await nestedCalls(row.plans[index].nested, held(), deps()));
    running -= 1;
    if (row.outcomes?.[index] === 'error') throw new ToolError('not_found', 'It is not there.');
    return 'done';
  };
  let token: LockToken | undefined;
  const specs = row.plans.map((plan, index) =>
    specOf(`tool_${index}`, plan, () =>
      run(
        index,
        () => token,
        () => deps,
      ),
    ),
  );
  const cancelled = row.events?.some((event) => 'cancelDuring' in event) ?? false;
  const deps: DispatcherDeps = {
    ...wired(specs, row.outcomes?.includes('denied') ?? false),
    ports: (_, held) => {
      token = held;
      return {};
    },
    spans: { begin: (callId) => seen.spans.push(`+${callId}`), end: (callId) => seen.spans.push(`-${callId}`) },
    rewrite: async (tool) => (row.plans[Number(tool.slice(5))]?.rewrittenTo?.approval ? { host: 'ask' } : null),
    ...(row.maxConcurrency === undefined ? {} : { maxConcurrency: row.maxConcurrency }),
    ...(cancelled
      ? {
          approvals: fakeApprovals((request) => {
            abort.abort();
            return { kind: 'approved', scope: 'once', by: 'u', digest: request.digest };
          }),
        }
      : {}),
  };
  const dispatcher = createDispatcher(deps);
  const calls: ToolCall[] = row.plans.map((plan, index) => ({
    callId: `c${index}`,
    name: `tool_${index}`,
    argumentsText: JSON.stringify(plan.blocked === 'hydrated' ? { wrong: true } : (plan.input ?? {})),
  }));
  row.plans.forEach((plan, index) => {
    if (plan.early)
      dispatcher.startEarly(
        { callId: `c${index}`, name: `tool_${index}`, argumentsText: JSON.stringify(plan.early.input) },
        abort.signal,
      );
  });
  const dispatched = dispatcher.dispatch(calls, 'complete', abort.signal);
  for (const index of row.completionOrder ?? []) {
    await new Promise((resolve) => setImmediate(resolve));
    gates[index]?.resolve();
  }
  seen.results = await dispatched;
  return seen;
}

function wired(specs: ToolSpec[], denies: boolean): DispatcherDeps {
  return {
    catalog: createSessionCatalog({ catalog: registerTools(specs) }),
    ports: () => ({}),
    parser: null,
    policy: () =>
      fakePolicy({
        mode: 'ask',
        hostVerdict: () => 'ask',
        evaluate: (facts) =>
          facts.paths.includes('denied')
            ? { effect: 'deny', ruleIds: ['r1'], reason: 'no' }
            : { effect: 'none', ruleIds: [], reason: '' },
      }),
    approvals: fakeApprovals((request) =>
      denies
        ? { kind: 'denied', by: 'u', reason: null }
        : { kind: 'approved', scope: 'once', by: 'u', digest: request.digest },
    ),
    subjects: fakeSubjects(),
    ledger: createApprovalLedger(),
    journal: fakeJournal(),
    envelopes: fakeEnvelopes(),
    secrets: fakeSecrets(),
    lock: new ToolLock(),
    clock: fakeClock(),
    randomBytes: fakeRandom(),
    report: () => undefined,
  };
}

function specOf(name: string, plan: PlanRow, execute: () => Promise<string>): ToolSpec {
  return {
    name,
    family: 'test',
    description: 'A tool of the vectors.',
    inputSchema: { type: 'object', properties: {} },
    capabilities: new Set(plan.readOnly ? (['read_only'] as const) : plan.approval ? (['writes_files'] as const) : []),
    uses: new Set(plan.readOnly || plan.approval ? [] : (['todos'] as const)),
    parallel: plan.parallel,
    load: plan.blocked === 'hydrated' ? 'deferred' : 'resident',
    timeoutMs: 30_000,
    interactive: plan.interactive,
    pollable: false,
    source: 'builtin',
    parseInput: (input) => {
      if (input.wrong) throw new ToolError('invalid_input', 'It does not fit.');
      return { input, warnings: [] };
    },
    validate: () => undefined,
    approvalFor: (input) => ({
      ...(plan.readOnly && plan.approval ? { level: 'required' as const } : {}),
      ...(plan.blocked === 'loop_guard' ? { paths: ['denied'] } : {}),
      ...(input.host === 'ask' ? { hosts: ['example.com'] } : {}),
    }),
    title: () => name,
    execute,
  };
}

async function nestedCalls(
  plans: PlanRow[],
  parentLock: LockToken | undefined,
  deps: DispatcherDeps,
): Promise<string[]> {
  const specs = plans.map((plan, index) => specOf(`inner_${index}`, plan, async () => 'done'));
  const inner = createDispatcher({
    ...deps,
    catalog: createSessionCatalog({ catalog: registerTools(specs) }),
    ...(parentLock ? { parentLock } : {}),
  });
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
