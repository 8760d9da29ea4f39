'use client';
import { useTranslations } from 'next-intl';
import type { SessionSummary } from '../../trpc/types.ts';
import { cn } from '../../ui/class-names.ts';

type Look = 'approval' | SessionSummary['status'];

const looks: Record<Look, string> = {
  approval: 'bg-signal-line ring-3 ring-signal-soft',
  running: 'bg-accent animate-breathe',
  waiting: 'border-[1.5px] border-signal-line',
  failed: 'bg-bad',
  idle: 'border-[1.5px] border-line-strong',
};

/** The state of a session as a shape and, for those who cannot see it, as a word. */
export function StatusDot({ status, approvals }: { status: SessionSummary['status']; approvals: number }) {
  const t = useTranslations('sessions');
  const look: Look = approvals > 0 ? 'approval' : status;
  return (
    <span className="inline-flex shrink-0">
      <span aria-hidden="true" className={cn('size-2 rounded-full', looks[look])} />
      <span className="sr-only">{t(`status.${look}`)}</span>
    </span>
  );
}
