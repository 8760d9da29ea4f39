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
  for (const forms of formsOf(registered)) {
    const best = wanted
      .map((spelling) => rankName(spelling, forms))
      .filter((rank) => rank !== null)
      .sort(byRank)[0];
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
  const ranked = names.map((name) => ({ name, rank: 0, distance: editDistance(wanted, plainName(name), Infinity) }));
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

function rankName(wanted: string, { name, plain }: NameForms): Ranked | null {
  if (plain === '') return null;
  const longer = Math.max(wanted.length, plain.length);
  const gap = longer - Math.min(wanted.length, plain.length);
  // Of a prefix and of a substring the distance is what one has more than the other.
  if (plain.startsWith(wanted) || wanted.startsWith(plain)) return { name, rank: 0, distance: gap };
  if (plain.includes(wanted) || wanted.includes(plain)) return { name, rank: 1, distance: gap };
  const limit = Math.min(3, Math.floor(longer / 3));
  const distance = gap > limit ? Infinity : editDistance(wanted, plain, limit);
  return distance <= limit ? { name, rank: 2, distance } : null;
}

function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || a.distance - b.distance || (a.name < b.name ? -1 : 1);
}

/** Levenshtein distance; anything above `limit` comes back as some number above it, and only near the diagonal is looked. */
function editDistance(one: string, other: string, limit: number): number {
  const [a, b] = withoutCommonEnds(one, other);
  const far = a.length + b.length + 1;
  let previous = Array.from({ length: b.length + 2 }, (_, at) => (at > limit ? far : at));
  let current = new Array<number>(b.length + 2).fill(far);
  for (let row = 1; row <= a.length; row += 1) {
    const first = Math.max(1, row - limit);
    const last = Math.min(b.length, row + limit);
    current[first - 1] = first === 1 && row <= limit ? row : far;
    current[last + 1] = far;
    let least = current[first - 1] ?? far;
    for (let at = first; at <= last; at += 1) {
      const change = (previous[at - 1] ?? far) + (a.charCodeAt(row - 1) === b.charCodeAt(at - 1) ? 0 : 1);
      const cell = Math.min(change, (previous[at] ?? far) + 1, (current[at - 1] ?? far) + 1);
      current[at] = cell;
      if (cell < least) least = cell;
    }
    if (least > limit) return limit + 1;
    [previous, current] = [current, previous];
  }
  return previous[b.length] ?? far;
}

/** Names of one server share long ends, which cost time and no distance. */
function withoutCommonEnds(a: string, b: string): [string, string] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}
