import type { JsonObject } from '../contract/json.ts';
import { findAlias } from './aliases.ts';
import { climb, type Rung } from './climb.ts';
import { orderByDistance, plainName, suggestNames } from './suggest-names.ts';

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
  { name: 'lower_case', mend: (search) => hits(search, (name) => name.toLowerCase() === search.cleaned.toLowerCase()) },
  { name: 'separators', mend: (search) => hits(search, sameAs([search.cleaned], plainName)) },
  { name: 'camel_case', mend: (search) => hits(search, sameAs([search.spellings.snake], snakeCase)) },
  { name: 'affixes', mend: mendAffixes },
  { name: 'letters', mend: mendLetters },
];

function mendAlias({ cleaned, registered, input }: Search): string[] | null {
  const tool = findAlias(cleaned, input)?.tool;
  return tool !== undefined && registered.has(tool) ? [tool] : null;
}

function mendAffixes(search: Search): string[] | null {
  for (const stripped of search.spellings.stripped) {
    const found = hits(search, sameAs([stripped], snakeCase));
    if (found) return found;
  }
  return null;
}

function mendLetters(search: Search): string[] | null {
  return hits(search, sameAs([search.spellings.snake, ...search.spellings.stripped], lettersOf));
}

function hits({ registered }: Search, accept: (name: string) => boolean): string[] | null {
  const found = [...registered].filter(accept);
  return found.length === 0 ? null : found;
}

function sameAs(spellings: readonly string[], normalize: (name: string) => string): (name: string) => boolean {
  const wanted = new Set(spellings.map(normalize));
  return (name) => wanted.has(normalize(name));
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

/** `HTTPGet` is `http_get`: a run of capitals is one word, its last letter starts the next. */
function snakeCase(name: string): string {
  return plainName(
    name
      .normalize('NFKC')
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
      .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2'),
  );
}

function lettersOf(name: string): string {
  return plainName(name).replaceAll('_', '');
}

function suggest(spellings: readonly string[], registered: ReadonlySet<string>): NameRepair {
  const names = suggestNames(spellings, registered);
  return names.length === 0 ? { kind: 'unknown' } : { kind: 'suggested', names };
}
