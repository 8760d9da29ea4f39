/** At most three registered names that look like the one called; for people and models to read, never to run. */
export function suggestNames(called: string, registered: Iterable<string>): string[] {
  const wanted = called.toLowerCase();
  return [...registered]
    .filter((name) => name.toLowerCase().startsWith(wanted))
    .sort()
    .slice(0, 3);
}

/** The sentence for an error: `Did you mean: a, b?`, at most 200 bytes; empty without suggestions. */
export function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? '' : `Did you mean: ${names.join(', ')}?`;
}
