'use client';
import type { AppRouter } from '@oneslot/runner/router';
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import superjson from 'superjson';

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** A client on the page's own origin. The token goes with every call; the runner asks for it on mutations. */
export function createBrowserClient(csrfToken: string | null) {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink({ url: '/api/trpc', transformer: superjson }),
        false: httpBatchLink({
          url: '/api/trpc',
          transformer: superjson,
          headers: () => (csrfToken ? { 'x-csrf-token': csrfToken } : {}),
        }),
      }),
    ],
  });
}
