'use client';
import { Boxes, Cpu, Inbox, List, Plus, Search, ServerCog } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { Me, SessionSummary } from '../../trpc/types.ts';
import { cn } from '../../ui/class-names.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { UserMenu } from '../account/user-menu.tsx';
import { useLive } from '../live/live-provider.tsx';
import { StatusDot } from '../sessions/status-dot.tsx';

const pages = [
  { href: '/', key: 'sessions', icon: List },
  { href: '/approvals', key: 'approvals', icon: Inbox },
  { href: '/tools', key: 'tools', icon: Boxes },
  { href: '/settings/models', key: 'models', icon: Cpu },
  { href: '/settings/system', key: 'system', icon: ServerCog },
] as const;

export function Sidebar({ me, onSearch }: { me: Me; onSearch: () => void }) {
  const t = useTranslations('shell');
  const path = usePathname();
  const { snapshot } = useLive();
  const waiting = snapshot?.approvals.length ?? 0;
  return (
    <div className="flex h-full flex-col gap-4 p-3">
      <Link href="/" className="flex items-center gap-2.5 rounded-md px-1.5 py-1">
        <Logo />
        <span className="min-w-0 leading-tight">
          <span className="block font-semibold tracking-tight">Oneslot</span>
          <span className="block truncate text-xs text-ink-3">{me.organization.name}</span>
        </span>
      </Link>
      <div className="flex gap-1.5">
        <Link
          href="/?new"
          prefetch={false}
          className="flex h-8 flex-1 items-center gap-2 rounded-md border border-line-strong bg-surface px-2.5 text-sm font-medium hover:bg-hover"
        >
          <Plus aria-hidden="true" className="size-4 text-accent" />
          {t('newSession')}
        </Link>
        <button
          type="button"
          onClick={onSearch}
          className="flex h-8 items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2 text-ink-2 hover:bg-hover"
        >
          <Search aria-hidden="true" className="size-4" />
          <span className="sr-only">{t('search')}</span>
          <Kbd>⌘K</Kbd>
        </button>
      </div>
      <nav aria-label={t('pages')} className="flex flex-col gap-px">
        {pages.map(({ href, key, icon: Icon }) => (
          <Link
            key={href}
            href={href}
            aria-current={path === href ? 'page' : undefined}
            className={cn(
              'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-ink-2 hover:bg-hover',
              path === href && 'bg-hover font-medium text-ink',
            )}
          >
            <Icon aria-hidden="true" className="size-4" />
            <span className="flex-1">{t(key)}</span>
            {key === 'approvals' && waiting > 0 && (
              <span className="rounded-full bg-signal-soft px-1.5 text-2xs font-semibold text-signal tabular-nums">
                {waiting}
                <span className="sr-only"> {t('waiting')}</span>
              </span>
            )}
          </Link>
        ))}
      </nav>
      <Recent sessions={snapshot?.sessions ?? null} path={path} />
      <UserMenu me={me} />
    </div>
  );
}

function Recent({ sessions, path }: { sessions: SessionSummary[] | null; path: string }) {
  const t = useTranslations('shell');
  return (
    <nav aria-label={t('recent')} className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1">
      <h2 className="px-2 pb-1 text-xs font-normal tracking-normal text-ink-3">{t('recent')}</h2>
      {!sessions && [70, 52, 61].map((width) => <Skeleton key={width} className="mx-2 my-2.5 h-3" />)}
      {sessions?.length === 0 && <p className="px-2 text-xs text-ink-3">{t('noSessions')}</p>}
      {sessions?.slice(0, 14).map((session) => {
        const href = `/s/${session.id}`;
        return (
          <Link
            key={session.id}
            href={href}
            prefetch={false}
            aria-current={path === href ? 'page' : undefined}
            className={cn(
              'flex h-7 items-center gap-2.5 rounded-md px-2 text-sm text-ink-2 hover:bg-hover',
              path === href && 'bg-hover text-ink',
            )}
          >
            <StatusDot status={session.status} approvals={session.pendingApprovals} />
            <span className="truncate">{session.title || t('untitled')}</span>
          </Link>
        );
      })}
    </nav>
  );
}
