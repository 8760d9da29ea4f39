import type { ToolError } from '../errors.ts';

/** What the model reads of a failure: what was tried and why it failed, what changed, what comes next. */
export function renderError(error: ToolError): string {
  const parts = [`[${error.code}] ${error.message}`, `Changed: ${error.changed ?? 'nothing'}.`];
  if (error.next !== undefined) parts.push(`Next: ${error.next}`);
  return parts.join(' ');
}
