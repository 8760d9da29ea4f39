import type { ReactNode } from 'react';
import { AppShell } from '../../features/shell/app-shell.tsx';
import { ApiProvider } from '../../trpc/provider.tsx';
import { requireMe } from '../../trpc/server.ts';

export default async function AppLayout({ children }: { children: ReactNode }) {
  const me = await requireMe();
  return (
    <ApiProvider csrfToken={me.csrfToken}>
      <AppShell me={me}>{children}</AppShell>
    </ApiProvider>
  );
}
