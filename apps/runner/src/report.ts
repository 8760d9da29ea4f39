import { HostError } from '@oneslot/core';

export type Problem = { message: string; cause: unknown };

/** One line of JSON per problem, for the operator: what failed and why, never what people wrote. */
export function report({ message, cause }: Problem): void {
  const entry = { at: new Date().toISOString(), level: 'error', message, cause: describe(cause) };
  console.error(JSON.stringify(entry));
}

/** Ends a start that cannot succeed, in words for whoever typed the command. */
export function explain(error: unknown): string {
  const lines: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause)
    lines.push(lines.length === 0 ? `✗ ${one.message}` : `  because: ${one.message}`);
  if (lines.length === 0) lines.push(`✗ ${String(error)}`);
  if (error instanceof HostError && error.next) lines.push(`  ${error.next}`);
  return lines.join('\n');
}

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  return { name: error.name, message: error.message, stack: error.stack, ...cause };
}
