import { formsOf, type NameForms, plainName } from './name-forms.ts';

const encoder = new TextEncoder();
const sentenceLimitBytes = 200;
const most = 3;

type Ranked = { name: string; rank: number; distance: number };

/**
 * At most three registered names that look like one of the spellings, best first: a prefix either way, then a
 * substring either way, then a typo. They are for reading; none of them ever runs.
 */
export function suggestNames(spellings: string | readonly string[], registered: Iterable<string>): string[] {
  const wanted = [spellings]
    .flat()
    .map(plainName)
    .filter((name) => /[a-z]/.test(name));
  const ranked: Ranked[] = [];
  const all = formsOf(registered);
  const rows = rowsFor(all.map(({ plain }) => plain));
  for (const forms of all) {
    let best: Ranked | null = null;
    for (const spelling of wanted) {
      const rank = rankName(spelling, forms, rows);
      if (rank && (!best || byRank(rank, best) < 0)) best = rank;
    }
    if (best) ranked.push(best);
  }
  return ranked
    .sort(byRank)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Names that tied on a rung, nearest first. */
export function orderByDistance(spelling: string, names: readonly string[]): string[] {
  const wanted = plainName(spelling);
  const rows = rowsFor(names.map(plainName));
  const ranked = names.map((name) => ({
    name,
    rank: 0,
    distance: editDistance(wanted, plainName(name), Infinity, rows),
  }));
  return ranked
    .sort(byRank)
    .slice(0, most)
    .map(({ name }) => name);
}

/** The sentence for an error: `Did you mean: a, b?`, at most 200 bytes; empty without suggestions. */
export function didYouMean(names: readonly string[]): string {
  const fitting = names.slice(0, most);
  while (fitting.length > 0) {
    const sentence = `Did you mean: ${fitting.join(', ')}?`;
    if (encoder.encode(sentence).length <= sentenceLimitBytes) return sentence;
    fitting.pop();
  }
  return '';
}

function rankName(wanted: string, { name, plain }: NameForms, rows: Rows): Ranked | null {
  if (plain === '') return null;
  const longer = Math.max(wanted.length, plain.length);
  const gap = longer - Math.min(wanted.length, plain.length);
  // Of a prefix and of a substring the distance is what one has more than the other.
  if (plain.startsWith(wanted) || wanted.startsWith(plain)) return { name, rank: 0, distance: gap };
  if (plain.includes(wanted) || wanted.includes(plain)) return { name, rank: 1, distance: gap };
  const limit = Math.min(3, Math.floor(longer / 3));
  const distance = gap > limit ? Infinity : editDistance(wanted, plain, limit, rows);
  return distance <= limit ? { name, rank: 2, distance } : null;
}

function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || a.distance - b.distance || (a.name < b.name ? -1 : 1);
}

type Rows = { previous: Uint16Array; current: Uint16Array };

/** Room for one comparison, made once a search: two thousand of them would spend their time on making it. */
function rowsFor(names: readonly string[]): Rows {
  const longest = names.reduce((most, name) => Math.max(most, name.length), 0);
  return { previous: new Uint16Array(longest + 2), current: new Uint16Array(longest + 2) };
}

/** Levenshtein distance; anything above `limit` comes back as some number above it, and only near the diagonal is looked. */
function editDistance(a: string, b: string, limit: number, rows: Rows): number {
  const { start, height, width } = middleOf(a, b);
  if (Math.abs(height - width) > limit) return limit + 1;
  const far = height + width + 1;
  let { previous, current } = rows;
  for (let at = 0; at <= Math.min(width, limit + 1); at += 1) previous[at] = at > limit ? far : at;
  for (let row = 1; row <= height; row += 1) {
    const first = Math.max(1, row - limit);
    const last = Math.min(width, row + limit);
    let left = first === 1 && row <= limit ? row : far;
    let least = left;
    current[first - 1] = left;
    current[last + 1] = far;
    const char = a.charCodeAt(start + row - 1);
    for (let at = first; at <= last; at += 1) {
      const change = (previous[at - 1] ?? far) + (char === b.charCodeAt(start + at - 1) ? 0 : 1);
      left = Math.min(change, (previous[at] ?? far) + 1, left + 1);
      current[at] = left;
      if (left < least) least = left;
    }
    if (least > limit) return limit + 1;
    [previous, current] = [current, previous];
  }
  return previous[width] ?? far;
}

/** What two names differ in: those of one server share long ends, which cost time and no distance. */
function middleOf(a: string, b: string): { start: number; height: number; width: number } {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  let end = 0;
  while (end < shorter - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end += 1;
  return { start, height: a.length - start - end, width: b.length - start - end };
}
