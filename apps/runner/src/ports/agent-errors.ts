import { HostError, ToolError } from '@oneslot/core';
import { AgentError } from '@oneslot/sandboxd';

/** Runs one operation of the sandbox; its failures are already in words for a model and only change their class. */
export async function askSandbox<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw toToolError(error);
  }
}

/** A sandbox that cannot be opened is as much the model's business as a file that is not there. */
export function toToolError(error: unknown): unknown {
  if (error instanceof HostError) {
    const code = error.code === 'conflict' || error.code === 'too_large' ? error.code : 'unavailable';
    return new ToolError(code, error.message, { ...nextOf(error), cause: error });
  }
  if (!(error instanceof AgentError)) return error;
  return new ToolError(error.code, error.message, { ...nextOf(error), data: error.data, cause: error });
}

function nextOf({ next }: { next: string | undefined }): { next?: string } {
  return next === undefined ? {} : { next };
}
