/** One mend of a ladder: a value, or null where it does not help. */
export type Rung<Input, Output, Name extends string = string> = {
  name: Name;
  mend(input: Input): Output | null;
};

/** Tries rungs in order and returns the first accepted value with its rung; null when none helps. */
export function climb<Input, Output, Name extends string>(
  input: Input,
  rungs: readonly Rung<Input, Output, Name>[],
): { value: Output; rung: Name } | null {
  for (const rung of rungs) {
    const value = rung.mend(input);
    if (value !== null) return { value, rung: rung.name };
  }
  return null;
}
