'use client';
import { useQuery } from '@tanstack/react-query';
import { ArrowUpRight, CheckCheck } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { useTRPC } from '../../trpc/client.ts';
import { Callout } from '../../ui/callout.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLive } from '../live/live-provider.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { useCardKeys } from '../shell/use-card-keys.ts';
import { ApprovalCard } from './approval-card.tsx';

/** Every request that waits for this person, over all sessions. */
export function ApprovalInbox() {
  const errorText = useErrorText();
  const t = useTranslations('approvals');
  const trpc = useTRPC();
  const { snapshot } = useLive();
  const listed = useQuery(trpc.approvals.list.queryOptions(undefined, { enabled: snapshot === null }));
  const approvals = snapshot?.approvals ?? listed.data;
  const list = useRef<HTMLDivElement>(null);
  useCardKeys(list);
  return (
    <div ref={list} className="mx-auto w-full max-w-[820px] px-4 py-8 sm:px-8">
      <PageHeader title={t('title')} text={t('text')} />
      {!approvals && listed.isError && (
        <Callout tone="error" role="alert">
          {errorText(listed.error)}
        </Callout>
      )}
      {!approvals && !listed.isError && <Skeleton className="h-52 rounded-lg" />}
      {approvals?.length === 0 && <EmptyState icon={CheckCheck} title={t('empty')} text={t('emptyText')} />}
      <div className="flex flex-col gap-6">
        {approvals?.map((approval) => (
          <article key={approval.id}>
            <div className="mb-2 flex flex-wrap items-baseline gap-x-2 text-sm">
              <SessionLink sessionId={approval.sessionId} title={approval.sessionTitle} />
              <span className="text-ink-3">
                {approval.requestedBy.name} · <RelativeTime at={approval.createdAt} />
              </span>
            </div>
            <ApprovalCard request={{ ...approval, approvalId: approval.id, deadline: approval.deadline.getTime() }} />
          </article>
        ))}
      </div>
    </div>
  );
}

/** Who answers for others sees the request and not the session around it: that link would lead nowhere. */
function SessionLink({ sessionId, title }: { sessionId: string; title: string | null }) {
  const t = useTranslations('approvals');
  if (title === null) return <span className="font-medium text-ink-2">{t('privateSession')}</span>;
  return (
    <Link
      href={`/s/${sessionId}`}
      prefetch={false}
      className="inline-flex min-w-0 items-center gap-1 font-medium hover:underline"
    >
      <span className="truncate">{title}</span>
      <ArrowUpRight aria-hidden="true" className="size-3.5 text-ink-3" />
    </Link>
  );
}
