'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Suspense, useDeferredValue, useState } from 'react';
import { useTRPC, useTRPCClient } from '../../trpc/client.ts';
import type { SessionSummary } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLive } from '../live/live-provider.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { SessionRow } from './session-row.tsx';
import { StartBox } from './start-box.tsx';
import { TourWelcome } from './tour-welcome.tsx';

export function SessionHome({ name }: { name: string }) {
  const t = useTranslations('sessions');
  const [query, setQuery] = useState('');
  const search = useDeferredValue(query.trim());
  const { rows, state, more } = useSessions(search);
  const newcomer = state === 'ready' && rows.length === 0 && search === '';
  return (
    <div className="mx-auto w-full max-w-[820px] px-4 pt-8 pb-16 sm:px-8 sm:pt-16">
      <h1 className="mb-4 text-xl font-semibold sm:text-2xl">
        {newcomer ? t('welcome', { name: name.split(' ')[0] ?? name }) : t('question')}
      </h1>
      <Suspense>
        <StartBox />
      </Suspense>
      {newcomer ? (
        <TourWelcome />
      ) : (
        <section aria-label={t('title')} className="mt-10">
          <div className="mb-1 flex items-center justify-between gap-4">
            <h2 className="text-sm font-semibold">{t('title')}</h2>
            <label className="flex h-8 w-56 items-center gap-2 rounded-md border border-line px-2 text-ink-3 focus-within:border-accent">
              <Search aria-hidden="true" className="size-3.5" />
              <span className="sr-only">{t('search')}</span>
              <input
                value={query}
                onChange={(event) => setQuery(event.target.value)}
                placeholder={t('search')}
                className="w-full bg-transparent text-sm text-ink outline-none placeholder:text-ink-3"
              />
            </label>
          </div>
          <SessionRows rows={rows} state={state} search={search} />
          {more.has && (
            <Button className="mt-4" onClick={more.load} disabled={more.busy}>
              {t('more')}
            </Button>
          )}
        </section>
      )}
    </div>
  );
}

type ListState = 'loading' | 'ready' | { failed: string };

function SessionRows({ rows, state, search }: { rows: SessionSummary[]; state: ListState; search: string }) {
  const t = useTranslations('sessions');
  if (state === 'loading') return [0, 1, 2, 3].map((one) => <Skeleton key={one} className="my-3 h-9" />);
  if (state !== 'ready') {
    return (
      <Callout tone="error" role="alert">
        {state.failed}
      </Callout>
    );
  }
  if (rows.length === 0) return <p className="py-10 text-center text-sm text-ink-2">{t('nothingFound', { search })}</p>;
  return (
    <ul className="border-t border-line">
      {rows.map((session) => (
        <SessionRow key={session.id} session={session} />
      ))}
    </ul>
  );
}

/** Pages from the runner, each row overlaid with what the live snapshot knows better. */
function useSessions(search: string) {
  const errorText = useErrorText();
  const trpc = useTRPC();
  const api = useTRPCClient();
  const { snapshot } = useLive();
  const pages = useInfiniteQuery({
    queryKey: [...trpc.sessions.list.pathKey(), search],
    queryFn: ({ pageParam: cursor }) =>
      api.sessions.list.query({ ...(search && { query: search }), ...(cursor && { cursor }) }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
    placeholderData: (before) => before,
  });
  const live = new Map(snapshot?.sessions.map((session) => [session.id, session]));
  const listed = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const known = new Set(listed.map((session) => session.id));
  const fresh = search === '' ? (snapshot?.sessions.filter((session) => !known.has(session.id)) ?? []) : [];
  const rows = [...fresh, ...listed.map((session) => live.get(session.id) ?? session)];
  const state: ListState = pages.isError ? { failed: errorText(pages.error) } : pages.data ? 'ready' : 'loading';
  return {
    rows: search === '' ? rows.sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime()) : rows,
    state,
    more: { has: pages.hasNextPage, load: () => pages.fetchNextPage(), busy: pages.isFetchingNextPage },
  };
}
