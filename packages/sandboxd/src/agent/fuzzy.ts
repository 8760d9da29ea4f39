const wordStart = /[/_\-. ]/;

/** 0 where the letters of `query` do not occur in order, else up to 1: the name counts more than the way to it. */
export function fuzzyScore(query: string, path: string, name: string): number {
  const wanted = query.toLowerCase().replace(/\s+/g, '');
  if (wanted === '') return 0;
  const lowerName = name.toLowerCase();
  if (lowerName === wanted) return 1;
  const stem = lowerName.replace(/\.[^.]*$/, '');
  if (stem === wanted) return 0.98;
  if (wanted.includes('/')) return 0.95 * match(wanted, path.toLowerCase());
  const inStem = match(wanted, stem);
  if (inStem > 0) return 0.6 + 0.35 * inStem;
  const inName = match(wanted, lowerName);
  return inName > 0 ? 0.5 + 0.1 * inName : 0.5 * match(wanted, path.toLowerCase());
}

/** Share of letters that follow each other or open a word, less a little for length. */
function match(wanted: string, text: string): number {
  const at = text.indexOf(wanted);
  if (at !== -1)
    return 0.8 + 0.15 * (at === 0 || wordStart.test(text[at - 1] ?? '') ? 1 : 0) + 0.05 * (wanted.length / text.length);
  let position = -1;
  let good = 0;
  for (const letter of wanted) {
    const next = text.indexOf(letter, position + 1);
    if (next === -1) return 0;
    if (next === position + 1 || next === 0 || wordStart.test(text[next - 1] ?? '')) good += 1;
    position = next;
  }
  return 0.1 + 0.6 * (good / wanted.length) + 0.05 * (wanted.length / text.length);
}

/** Levenshtein distance, given up above 16 as far apart. */
export function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 16) return 17;
  let row = Array.from({ length: other.length + 1 }, (_unused, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
