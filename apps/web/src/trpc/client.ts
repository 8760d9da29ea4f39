'use client';
import type { AppRouter } from '@oneslot/runner/router';
import { createTRPCClient, httpBatchStreamLink, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import superjson from 'superjson';

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

const base = { url: '/api/trpc', transformer: superjson };

/** A client on the page's own origin. The token goes with every mutation; the runner asks for it there. */
export function createBrowserClient(csrfToken: string | null) {
  const headers = () => (csrfToken ? { 'x-csrf-token': csrfToken } : {});
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink(base),
        false: splitLink({
          condition: (operation) => operation.type === 'mutation',
          // Alone, because an answer may set a cookie and a stream's head is sent too early for that.
          true: httpLink({ ...base, headers }),
          // As a stream, so that a slow answer (files of a sandbox that starts) holds up no quick one.
          false: httpBatchStreamLink(base),
        }),
      }),
    ],
  });
}
