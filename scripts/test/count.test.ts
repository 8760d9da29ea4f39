import { expect, test } from 'vitest';
import { add, countPlaywright, countVitest, none, readSum, sumLine } from './count.ts';

const file = (status: string, ...states: string[]) => ({
  status,
  assertionResults: states.map((one) => ({ status: one })),
});

test('counts what Vitest reports', () => {
  const report = { testResults: [file('passed', 'passed', 'skipped', 'todo'), file('failed', 'failed', 'passed')] };
  expect(countVitest(report)).toEqual({ passed: 2, failed: 1, skipped: 2 });
});

test('counts a file that does not load as one failure', () => {
  expect(countVitest({ testResults: [file('failed')] })).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('counts what Playwright reports, a crash before the first test included', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 2 };
  expect(countPlaywright({ stats, errors: [] })).toEqual({ passed: 4, failed: 1, skipped: 2 });
  const crash = { stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, errors: [{}] };
  expect(countPlaywright(crash).failed).toBe(1);
});

test('never makes a bad exit or a missing report look good', () => {
  expect(readSum('/nowhere/report.json', countVitest, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('writes the line machines read', () => {
  expect(sumLine(add({ passed: 2, failed: 0, skipped: 0 }, none))).toBe('2 passed, 0 failed');
  expect(sumLine({ passed: 2, failed: 1, skipped: 3 })).toBe('2 passed, 1 failed, 3 skipped');
});
