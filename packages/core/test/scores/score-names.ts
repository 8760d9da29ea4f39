import { repairToolName } from '../../src/repair/repair-tool-name.ts';
import {
  brief,
  quickest,
  type RowScore,
  type SetScore,
  sameJson,
  score,
  scoreEach,
  unless,
  wholeSet,
} from './score.ts';

export type CoreName = {
  id: string;
  registered: string[];
  called: string;
  expect: { tool?: string; didYouMean?: string[]; unknown?: true };
};
type Verdict = { resolve?: string; suggest?: string[]; unknown?: true };
export type OwnName = {
  id: string;
  called: string;
  expect: Verdict & { or?: Verdict; orResolve?: string };
  mustNotResolve?: string[];
};

export function scoreCoreName(row: CoreName): RowScore {
  const repaired = repairToolName(row.called, new Set(row.registered));
  const { tool, unknown, didYouMean = [] } = row.expect;
  const meets =
    tool !== undefined
      ? repaired.kind === 'resolved' && repaired.name === tool
      : unknown
        ? repaired.kind === 'unknown'
        : repaired.kind === 'suggested' && sameJson(repaired.names, didYouMean);
  return score(row.id, unless(meets, brief(repaired)));
}

export function scoreOwnName(row: OwnName, registered: ReadonlySet<string>): RowScore {
  const repaired = repairToolName(row.called, registered);
  const verdicts = [
    row.expect,
    row.expect.or ?? {},
    { ...(row.expect.orResolve && { resolve: row.expect.orResolve }) },
  ];
  const meets = (verdict: Verdict) =>
    (verdict.unknown === true && repaired.kind === 'unknown') ||
    (repaired.kind === 'resolved' && repaired.name === verdict.resolve) ||
    (repaired.kind === 'suggested' && verdict.suggest?.every((name) => repaired.names.includes(name)) === true);
  const resolved = repaired.kind === 'resolved' ? repaired.name : null;
  const forbidden = resolved !== null && (row.mustNotResolve ?? []).includes(resolved);
  const right = verdicts.some((verdict) => verdict.resolve === resolved);
  return score(row.id, unless(verdicts.some(meets) && !forbidden, brief(repaired)), {
    wrong: resolved !== null && (!right || forbidden),
    forbidden,
  });
}

export async function scoreOwnNames(names: readonly OwnName[], registered: ReadonlySet<string>): Promise<SetScore> {
  const rows = await scoreEach(names, (row) => scoreOwnName(row, registered));
  const slowest = await slowestName(names.map((row) => row.called));
  const figures = [`slowest name among 2,000 tools: ${slowest.toFixed(1)} ms`];
  return { ...wholeSet(rows, figures), ...(slowest > limitMs ? { meetsBar: false } : {}) };
}

const limitMs = 5;

/** Milliseconds of the slowest of these names among 2,000 tools. */
async function slowestName(called: readonly string[]): Promise<number> {
  const many = new Set(Array.from({ length: 2_000 }, (_, index) => `mcp__server_${index % 40}__tool_name_${index}`));
  let slowest = 0;
  for (const name of called) slowest = Math.max(slowest, await quickest(limitMs, () => repairToolName(name, many)));
  return slowest;
}
