import { expect, test } from 'vitest';
import { snapshotPolicy } from './session-policy.ts';

test.each([
  ['container', true],
  ['vm', true],
  ['simulated', true],
  ['namespace', false],
  ['none', false],
] as const)('on %s commands run unasked: %s', (isolation, auto) => {
  expect(snapshotPolicy({ mode: 'agent', isolation }).autoInSandbox).toBe(auto);
});

test('hosts are asked about and no rule matches', () => {
  const policy = snapshotPolicy({ mode: 'agent', isolation: 'container' });
  expect(policy.hostVerdict('example.org')).toBe('ask');
  const facts = { tool: 'x', source: 'builtin', capabilities: [], input: {}, command: [], paths: [], hosts: [] };
  expect(policy.evaluate(facts).effect).toBe('none');
  expect(policy.loweringList.has('run_command')).toBe(true);
  expect(policy.loweringList.has('write_file')).toBe(false);
});
