import 'server-only';
import type { AppRouter } from '@oneslot/runner/router';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import superjson from 'superjson';
import { runnerUrl } from '../env.ts';

/** The runner as the server components see it, with the cookie of the page's own request. */
export const api = cache(() =>
  createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: `${runnerUrl()}/api/trpc`,
        transformer: superjson,
        headers: forwardedHeaders,
        fetch: (url, options) => fetch(url, { ...options, cache: 'no-store' } as RequestInit),
      }),
    ],
  }),
);

/** Who asks; one call a request however often it is needed. */
export const me = cache(() => api().me.query());

/** Layouts do not run again on client navigation, so every page asks as well. */
export async function requireMe() {
  return (await me()) ?? redirect('/sign-in');
}

async function forwardedHeaders(): Promise<Record<string, string>> {
  const cookie = (await headers()).get('cookie');
  return cookie ? { cookie } : {};
}
