import { createApprovalLedger } from '../src/approval/approval-ledger.ts';
import { registerTools } from '../src/catalog/register-tools.ts';
import type { ToolSpec } from '../src/contract/tool-spec.ts';
import { createDispatcher } from '../src/dispatch/create-dispatcher.ts';
import type { DispatcherDeps } from '../src/dispatch/dispatcher-deps.ts';
import { createSessionCatalog } from '../src/dispatch/session-catalog.ts';
import { ToolLock } from '../src/dispatch/tool-lock.ts';
import {
  fakeApprovals,
  fakeClock,
  fakeEnvelopes,
  fakeJournal,
  fakePolicy,
  fakeRandom,
  fakeSecrets,
  fakeSubjects,
} from '../src/testing/index.ts';

/** A spec with the safe defaults of a tool of this house; what a test needs is changed. */
export function toolSpec(changes: Partial<ToolSpec> & Pick<ToolSpec, 'name' | 'execute'>): ToolSpec {
  return {
    family: 'test',
    description: 'A tool of the tests.',
    inputSchema: { type: 'object', properties: {} },
    capabilities: new Set(['read_only']),
    uses: new Set(),
    parallel: true,
    load: 'resident',
    timeoutMs: 30_000,
    interactive: false,
    pollable: false,
    source: 'builtin',
    parseInput: (input) => ({ input, warnings: [] }),
    validate: () => undefined,
    approvalFor: () => ({}),
    title: () => changes.name,
    ...changes,
  };
}

/** Everything of a dispatcher on fake ports, with the fakes at hand. */
export function wireDispatcher(specs: readonly ToolSpec[], changes: Partial<DispatcherDeps> = {}) {
  const journal = fakeJournal();
  const envelopes = fakeEnvelopes();
  const clock = fakeClock();
  const problems: string[] = [];
  const deps: DispatcherDeps = {
    catalog: createSessionCatalog({ catalog: registerTools(specs) }),
    ports: () => ({}),
    policy: fakePolicy,
    parser: null,
    approvals: fakeApprovals(),
    subjects: fakeSubjects(),
    ledger: createApprovalLedger(),
    journal,
    envelopes,
    secrets: fakeSecrets(),
    lock: new ToolLock(),
    clock,
    randomBytes: fakeRandom(),
    report: ({ message }) => problems.push(message),
    ...changes,
  };
  return { dispatcher: createDispatcher(deps), deps, journal, envelopes, clock, problems };
}
