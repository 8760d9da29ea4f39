import type { JsonObject } from '../contract/json.ts';
import { findAlias } from './aliases.ts';
import { climb, type Rung } from './climb.ts';
import { formsOf, lettersOf, type NameForms, plainName, snakeCase } from './name-forms.ts';
import { orderByDistance, suggestNames } from './suggest-names.ts';

export type NameRung =
  | 'exact'
  | 'trimmed'
  | 'alias'
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

/** Longer than any tool name may be, so nothing that long is one with a slip in it. */
const longestCalled = 256;

/**
 * Finds the registered tool a damaged name stands for; a fuzzy match never resolves, since it may reach a
 * stronger tool. `input` tells apart peers' names that stand for two tools.
 */
export function repairToolName(called: string, registered: ReadonlySet<string>, input: JsonObject = {}): NameRepair {
  if (registered.has(called)) return { kind: 'resolved', name: called, rung: 'exact' };
  if (called.length > longestCalled) return { kind: 'unknown' };
  const cleaned = cleanName(called);
  if (!/\p{L}/u.test(cleaned)) return { kind: 'unknown' };
  const spellings = spellingsOf(cleaned);
  const foreign = /[^ -~]/.test(cleaned);
  const climbed = foreign ? null : climb({ cleaned, spellings, registered, input }, ladder);
  if (!climbed) return suggest([spellings.snake, ...spellings.stripped], registered);
  const [name, ...others] = climbed.value;
  if (name !== undefined && others.length === 0) return { kind: 'resolved', name, rung: climbed.rung };
  return { kind: 'suggested', names: orderByDistance(spellings.snake, climbed.value) };
}

type Spellings = { snake: string; stripped: string[] };
type Search = { cleaned: string; spellings: Spellings; registered: ReadonlySet<string>; input: JsonObject };

/** Each rung answers all its hits: one resolves, several end the ladder. */
const ladder: readonly Rung<Search, string[], NameRung>[] = [
  { name: 'trimmed', mend: ({ cleaned, registered }) => (registered.has(cleaned) ? [cleaned] : null) },
  { name: 'alias', mend: mendAlias },
  { name: 'lower_case', mend: (search) => hits(search, 'lower', [search.cleaned.toLowerCase()]) },
  { name: 'separators', mend: (search) => hits(search, 'plain', [plainName(search.cleaned)]) },
  { name: 'camel_case', mend: (search) => hits(search, 'snake', [search.spellings.snake]) },
  { name: 'affixes', mend: mendAffixes },
  { name: 'letters', mend: mendLetters },
];

function mendAlias({ cleaned, registered, input }: Search): string[] | null {
  const tool = findAlias(cleaned, input)?.tool;
  return tool !== undefined && registered.has(tool) ? [tool] : null;
}

function mendAffixes(search: Search): string[] | null {
  for (const stripped of search.spellings.stripped) {
    const found = hits(search, 'snake', [stripped]);
    if (found) return found;
  }
  return null;
}

function mendLetters(search: Search): string[] | null {
  const { snake, stripped } = search.spellings;
  return hits(search, 'letters', [snake, ...stripped].map(lettersOf));
}

function hits({ registered }: Search, form: keyof NameForms, wanted: readonly string[]): string[] | null {
  const found = formsOf(registered).filter((forms) => wanted.includes(forms[form]));
  return found.length === 0 ? null : found.map(({ name }) => name);
}

/** Takes off what templates and providers put around a name: blanks, quotes, call brackets, an index, stop tokens. */
function cleanName(called: string): string {
  let name = called.replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, '').replace(/<[|｜].*$/s, '');
  for (let before = ''; before !== name; ) {
    before = name;
    name = name
      .trim()
      .replace(/^["'`“”‘’]+|["'`“”‘’]+$/g, '')
      .replace(/\(\s*\)$/, '')
      .replace(/:\d+$/, '');
  }
  return name;
}

/** The called name in snake case, and what is left without up to two `_tool` suffixes and one name space. */
function spellingsOf(cleaned: string): Spellings {
  const bare = cleaned.replace(/^(?:functions|tools|default_api)[.:/]+/i, '');
  const stripped: string[] = bare === cleaned ? [] : [snakeCase(bare)];
  for (const start of new Set([snakeCase(cleaned), snakeCase(bare)])) {
    let name = start;
    for (let times = 0; times < 2 && name.endsWith('_tool'); times += 1) {
      name = name.slice(0, -'_tool'.length);
      stripped.push(name);
    }
  }
  return { snake: snakeCase(cleaned), stripped: stripped.filter((name) => name !== '') };
}

function suggest(spellings: readonly string[], registered: ReadonlySet<string>): NameRepair {
  const names = suggestNames(spellings, registered);
  return names.length === 0 ? { kind: 'unknown' } : { kind: 'suggested', names };
}
