'use client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { createBrowserClient, TRPCProvider } from './client.ts';

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { staleTime: 15_000, retry: 1, refetchOnWindowFocus: false }, mutations: { retry: 0 } },
  });
}

export function ApiProvider({ csrfToken, children }: { csrfToken: string | null; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [client] = useState(() => createBrowserClient(csrfToken));
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
