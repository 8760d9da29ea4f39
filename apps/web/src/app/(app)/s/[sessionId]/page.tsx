import { TRPCClientError } from '@trpc/client';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { SessionPage } from '../../../../features/session/session-page.tsx';
import { api, requireMe } from '../../../../trpc/server.ts';

type Props = { params: Promise<{ sessionId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  await requireMe();
  return { title: (await loadSession((await params).sessionId)).title };
}

export default async function Page({ params }: Props) {
  const me = await requireMe();
  const session = await loadSession((await params).sessionId);
  const { engine } = await api().system.info.query();
  return <SessionPage key={session.id} initial={session} me={me} engine={engine} />;
}

const loadSession = cache(async (sessionId: string) => {
  try {
    return await api().sessions.get.query({ sessionId });
  } catch (error) {
    // An id that never could be one is as unknown as one that is not there.
    if (error instanceof TRPCClientError && ['NOT_FOUND', 'BAD_REQUEST'].includes(String(error.data?.code))) notFound();
    throw error;
  }
});
