import { ToolError } from '@oneslot/core';
import { AgentError } from '@oneslot/sandboxd';

/** Runs one operation of the sandbox; its failures are already in words for a model and only change their class. */
export async function askSandbox<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw toToolError(error);
  }
}

export function toToolError(error: unknown): unknown {
  if (!(error instanceof AgentError)) return error;
  const next = error.next === undefined ? {} : { next: error.next };
  return new ToolError(error.code, error.message, { ...next, data: error.data, cause: error });
}
