import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { cacheDir, inRoot } from '../bootstrap/paths.ts';
import { runCommand } from '../bootstrap/run-command.ts';
import { SetupError } from '../bootstrap/setup-error.ts';
import { add, countPlaywright, countVitest, none, readSum, type Sum, sumLine } from './count.ts';
import { type Probe, probeAll } from './probe.ts';

/** Runs all suites, or those whose path holds a filter, and ends with one sum. Returns the exit code. */
export async function runTests(filters: readonly string[]): Promise<number> {
  const probes = await probeAll();
  const releaseAll = async (): Promise<void> => void (await Promise.all(probes.map((probe) => probe.release())));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void releaseAll().then(() => process.exit(signal === 'SIGINT' ? 130 : 143)));
  try {
    tell(probes);
    demand(probes);
    const sum = await runSuites(filters, probes);
    console.log(sumLine(sum));
    return sum.failed === 0 && sum.passed > 0 ? 0 : 1;
  } finally {
    await releaseAll();
  }
}

function tell(probes: readonly Probe[]): void {
  for (const { facility, missing } of probes) {
    console.log(
      missing === null ? `✓ ${facility}: its suites run` : `– ${facility}: its suites are left out; ${missing}`,
    );
  }
}

/** What the caller requires must be there before anything runs: a skip nobody reads is a test nobody has. */
function demand(probes: readonly Probe[]): void {
  const required = (process.env.ONESLOT_REQUIRE ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const known = new Set<string>(probes.map(({ facility }) => facility));
  const unknown = required.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new SetupError(
      `ONESLOT_REQUIRE names ${unknown.join(', ')}, which is not a facility.`,
      `Use some of ${[...known].join(',')}.`,
    );
  const missing = probes.filter((probe) => probe.missing !== null && required.includes(probe.facility));
  if (missing.length === 0) return;
  const why = missing.map((probe) => `${probe.facility} (${probe.missing})`).join('; ');
  throw new SetupError(
    `ONESLOT_REQUIRE asks for what this machine lacks: ${why}.`,
    'Install it (.ci/run shows how), or take it out of ONESLOT_REQUIRE.',
  );
}

async function runSuites(filters: readonly string[], probes: readonly Probe[]): Promise<Sum> {
  const env = Object.assign({}, ...probes.map((probe) => probe.env), {
    ONESLOT_HAS: probes
      .filter((probe) => probe.missing === null)
      .map((probe) => probe.facility)
      .join(','),
  });
  const unitFilters = filters.filter((filter) => !filter.startsWith('e2e'));
  const wantsUnits = filters.length === 0 || unitFilters.length > 0;
  const units = wantsUnits ? await runVitest(unitFilters, env) : none;
  const browser = wantsBrowser(filters)
    ? await runPlaywright(
        filters.filter((filter) => filter.startsWith('e2e')),
        env,
      )
    : none;
  return add(units, browser);
}

/** Browser tests need a built web app; a filter that names none of them spares the build. */
export function wantsBrowser(filters: readonly string[]): boolean {
  return filters.length === 0 || filters.some((filter) => filter.startsWith('e2e'));
}

function freshReport(name: string): string {
  const file = `${cacheDir}/${name}.json`;
  mkdirSync(cacheDir, { recursive: true });
  rmSync(file, { force: true });
  return file;
}

async function runVitest(filters: readonly string[], env: Record<string, string>): Promise<Sum> {
  const report = freshReport('vitest');
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...filters,
  ];
  const end = await runCommand(process.execPath, args, { env, show: true });
  return readSum(report, countVitest, end.code);
}

async function runPlaywright(filters: readonly string[], env: Record<string, string>): Promise<Sum> {
  if (!existsSync(inRoot('e2e/playwright.config.ts')) || !env.ONESLOT_CHROMIUM) return none;
  const report = freshReport('playwright');
  const args = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '-c',
    'e2e/playwright.config.ts',
    '--reporter=list,json',
    ...filters,
  ];
  const end = await runCommand(process.execPath, args, {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    show: true,
  });
  return readSum(report, countPlaywright, end.code);
}
