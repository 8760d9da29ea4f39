/** Steps a match may take; some milliseconds. */
const stepBudget = 1e7;

/**
 * A foreign pattern as a test that cannot hang: one that may take exponential time is not applied, one of
 * polynomial time only to texts short enough. What it leaves untested, the tool's own side still tests.
 */
export function boundedPattern(pattern: string, flags: string): { test(text: string): boolean } {
  const degree = patternDegree(pattern);
  if (degree === null) return { test: () => true };
  const longest = stepBudget ** (1 / Math.max(1, degree));
  const expression = new RegExp(pattern, flags);
  return { test: (text) => text.length > longest || expression.test(text) };
}

/** How many repetitions may compete for one character; null where repetitions nest or look back. */
export function patternDegree(pattern: string): number | null {
  if (/\\[1-9]|\\k</.test(pattern)) return null;
  // Escapes, classes and bounded look of groups are one character to a matcher.
  const plain = pattern.replace(/\\[pP]\{[^}]*\}|\\[\s\S]/g, 'x').replace(/\[(?:[^\]])*\]/g, 'x');
  const open: boolean[] = [];
  let degree = 0;
  for (let at = 0; at < plain.length; at += 1) {
    const char = plain[at];
    if (char === '(') open.push(false);
    if (char === '|' && open.length > 0) open[open.length - 1] = true;
    const repeats = /^(?:[*+]|\{\d+,\d*\}|\{\d{2,}\})/.test(plain.slice(at, at + 12));
    if (repeats) {
      degree += 1;
      if (open.length > 0) open[open.length - 1] = true;
    }
    if (char !== ')') continue;
    const varies = open.pop() ?? false;
    const repeated = /^(?:[*+]|\{)/.test(plain.slice(at + 1));
    if (varies && repeated) return null;
    if (varies && open.length > 0) open[open.length - 1] = true;
  }
  return degree;
}
