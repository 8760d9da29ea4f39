'use client';
import { TRPCClientError } from '@trpc/client';
import { useTranslations } from 'next-intl';
import { useCallback } from 'react';

/** What went wrong in the runner's own words, with what it says to do next; a runner that is away is said in ours. */
export function useErrorText(): (error: unknown) => string {
  const t = useTranslations('live');
  return useCallback(
    (error: unknown) => {
      if (isAway(error)) return t('away');
      const message = error instanceof Error && error.message !== '' ? error.message : String(error);
      const next = error instanceof TRPCClientError ? nextOf(error.data) : null;
      return next ? `${message} ${next}` : message;
    },
    [t],
  );
}

/** No answer at all: the browser's own error, or a gateway that found nobody behind it. */
function isAway(error: unknown): boolean {
  if (!(error instanceof TRPCClientError)) return error instanceof TypeError;
  return error.cause instanceof TypeError || (error.data == null && error.shape == null);
}

function nextOf(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('next' in data)) return null;
  return typeof data.next === 'string' ? data.next : null;
}
