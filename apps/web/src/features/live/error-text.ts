import { TRPCClientError } from '@trpc/client';

/** What went wrong in the runner's own words, and what it says to do next. */
export function readError(error: unknown): { message: string; next: string | null } {
  const message = error instanceof Error && error.message !== '' ? error.message : String(error);
  return { message, next: error instanceof TRPCClientError ? nextOf(error.data) : null };
}

export function errorText(error: unknown): string {
  const { message, next } = readError(error);
  return next ? `${message} ${next}` : message;
}

function nextOf(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('next' in data)) return null;
  return typeof data.next === 'string' ? data.next : null;
}
