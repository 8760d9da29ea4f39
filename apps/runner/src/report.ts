export type Problem = { message: string; cause: unknown };

/** One line of JSON per problem, for the operator: what failed and why, never what people wrote. */
export function report({ message, cause }: Problem): void {
  const entry = { at: new Date().toISOString(), level: 'error', message, cause: describe(cause) };
  console.error(JSON.stringify(entry));
}

/** Ends a start that cannot succeed, in words for whoever typed the command. */
export function explain(error: unknown): string {
  const lines: string[] = [];
  let next: string | null = null;
  for (let one = error; one instanceof Error; one = one.cause) {
    lines.push(lines.length === 0 ? `✗ ${one.message}` : `  because: ${one.message}`);
    next ??= nextOf(one);
  }
  if (lines.length === 0) lines.push(`✗ ${String(error)}`);
  if (next !== null) lines.push(`  next: ${next}`);
  return lines.join('\n');
}

/** Errors from below the runner carry a next step without being ours, so the field decides and not the class. */
function nextOf(error: Error): string | null {
  return 'next' in error && typeof error.next === 'string' ? error.next : null;
}

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  const errors = error instanceof AggregateError ? { errors: error.errors.map(describe) } : {};
  return { name: error.name, message: error.message, stack: error.stack, ...cause, ...errors };
}
