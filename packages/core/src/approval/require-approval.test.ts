import { describe, expect, it } from 'vitest';
import { type DerivationRow, scoreDerivation } from '../../test/scores/score-approvals.ts';
import type { Capability } from '../contract/capability.ts';
import type { Isolation, Mode } from '../contract/ports.ts';
import { ownCases } from '../testing/read-cases.ts';
import { applyMode } from './apply-mode.ts';
import { requireApproval } from './require-approval.ts';

describe('cases/core/approval_derivation.json', () => {
  it.each(ownCases<DerivationRow>('core/approval_derivation.json'))('$id', (row) => {
    expect(scoreDerivation(row).failure).toBeNull();
  });
});

describe('requireApproval', () => {
  const facts = {
    capabilities: new Set<Capability>(['executes_code', 'sandboxable']),
    uses: new Set<never>(),
    builtin: true,
    verdict: {},
    mayLower: true,
    hosts: [],
    rule: 'none' as const,
  };

  it('lowers only with the list, and never below the host policy', () => {
    expect(requireApproval({ ...facts, verdict: { level: 'auto', readOnly: true } })).toMatchObject({
      level: 'auto',
      readOnly: true,
    });
    expect(requireApproval({ ...facts, mayLower: false, verdict: { level: 'auto', readOnly: true } })).toMatchObject({
      level: 'required',
      readOnly: false,
    });
    expect(requireApproval({ ...facts, verdict: { level: 'auto' }, hosts: ['allow', 'ask'] })).toMatchObject({
      level: 'required',
      contained: false,
    });
  });

  it('lets rules raise freely and lower only with the list', () => {
    expect(requireApproval({ ...facts, rule: 'require', verdict: { level: 'auto' } })).toMatchObject({
      level: 'required',
      contained: false,
    });
    expect(requireApproval({ ...facts, rule: 'allow' }).level).toBe('auto');
    expect(requireApproval({ ...facts, rule: 'allow', mayLower: false }).level).toBe('required');
  });

  it('knows session-internal tools and takes nothing foreign for one', () => {
    const inner = { ...facts, capabilities: new Set<Capability>(), uses: new Set(['todos'] as const) };
    expect(requireApproval(inner).level).toBe('auto');
    expect(requireApproval({ ...inner, builtin: false }).level).toBe('required');
  });
});

describe('applyMode', () => {
  const columns = [
    { level: 'auto' as const, contained: false },
    { level: 'suggest' as const, contained: false },
    { level: 'required' as const, contained: true },
    { level: 'required' as const, contained: false },
  ];
  const table: Record<Mode, string[]> = {
    plan: ['run', 'refuse', 'refuse', 'refuse'],
    ask: ['run', 'ask', 'ask', 'ask'],
    agent: ['run', 'run', 'ask', 'ask'],
    autopilot: ['run', 'run', 'run', 'ask'],
  };
  const cell = (
    mode: Mode,
    column: (typeof columns)[number],
    isolation: Isolation = 'container',
    readOnlyTool = column.level === 'auto',
  ) => applyMode({ mode, isolation, ...column, readOnlyTool, inward: false, asksInPlanMode: false });

  it('is the table of the catalogue', () => {
    for (const mode of ['plan', 'ask', 'agent', 'autopilot'] as const)
      expect(
        columns.map((column) => cell(mode, column)),
        mode,
      ).toEqual(table[mode]);
  });

  it('runs only reads unasked where nothing isolates', () => {
    for (const mode of ['ask', 'agent', 'autopilot'] as const) {
      expect(
        columns.map((column) => cell(mode, column, 'none')),
        mode,
      ).toEqual(['run', 'ask', 'ask', 'ask']);
    }
  });

  it('asks for a raised read in plan mode', () => {
    expect(cell('plan', { level: 'required', contained: false }, 'container', true)).toBe('ask');
  });
});
