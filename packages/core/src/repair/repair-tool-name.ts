import { suggestNames } from './suggest-names.ts';

export type NameRung =
  | 'exact'
  | 'alias'
  | 'trimmed'
  | 'lower_case'
  | 'separators'
  | 'camel_case'
  | 'affixes'
  | 'letters';

/** Only `resolved` runs. Suggestions are at most three, best first. */
export type NameRepair =
  | { kind: 'resolved'; name: string; rung: NameRung }
  | { kind: 'suggested'; names: string[] }
  | { kind: 'unknown' };

/** Finds the registered tool a damaged name stands for; a fuzzy match never resolves. */
export function repairToolName(called: string, registered: ReadonlySet<string>): NameRepair {
  if (registered.has(called)) return { kind: 'resolved', name: called, rung: 'exact' };
  const names = suggestNames(called, registered);
  return names.length === 0 ? { kind: 'unknown' } : { kind: 'suggested', names };
}
