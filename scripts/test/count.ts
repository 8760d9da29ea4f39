import { existsSync, readFileSync } from 'node:fs';

export type Sum = { passed: number; failed: number; skipped: number };
export const none: Sum = { passed: 0, failed: 0, skipped: 0 };

export function add(a: Sum, b: Sum): Sum {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** The last line of a run; machines read it, so its form is fixed. */
export function sumLine({ passed, failed, skipped }: Sum): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

type VitestFile = { status: string; assertionResults: { status: string }[] };

/** A file that does not load has no tests to count, so it counts as one failure itself. */
export function countVitest(report: { testResults: VitestFile[] }): Sum {
  let sum = none;
  for (const file of report.testResults) {
    const states = file.assertionResults.map(({ status }) => status);
    const failed = states.filter((state) => state === 'failed').length;
    const passed = states.filter((state) => state === 'passed').length;
    const broken = file.status === 'failed' && failed === 0 ? 1 : 0;
    sum = add(sum, { passed, failed: failed + broken, skipped: states.length - passed - failed });
  }
  return sum;
}

/** A test that passed only on a second try counts as passed; Playwright lists it by itself. */
export function countPlaywright(report: {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}): Sum {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return {
    passed: expected + flaky,
    failed: unexpected + (report.errors.length > 0 && unexpected === 0 ? 1 : 0),
    skipped,
  };
}

/** The report a runner wrote, or one failure where it died without one. An exit code is never better than the count. */
export function readSum<Report>(file: string, count: (report: Report) => Sum, exitCode: number): Sum {
  if (!existsSync(file)) {
    console.error(`✗ a test runner ended with code ${exitCode} and left no report ${file}: counted as one failure`);
    return { ...none, failed: 1 };
  }
  const sum = count(JSON.parse(readFileSync(file, 'utf8')));
  return exitCode !== 0 && sum.failed === 0 ? { ...sum, failed: 1 } : sum;
}
