'use client';
import { Check, Pencil, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ApprovalView, Decision } from '../session/view-model.ts';
import { ApprovalCard } from './approval-card.tsx';

/** The request inside its call: the card while it waits, one line of record once it is answered. */
export function CallApproval({
  approval,
  finished,
  userId,
}: {
  approval: ApprovalView;
  finished: boolean;
  userId: string;
}) {
  const { decided } = approval;
  if (decided && decided.decision !== 'reopened') return <Record decided={decided} userId={userId} />;
  if (finished) return null;
  return (
    <div className="p-2.5 pt-1">
      <ApprovalCard request={approval} />
    </div>
  );
}

function Record({ decided, userId }: { decided: Decision; userId: string }) {
  const t = useTranslations('approvals');
  const by = decided.by === null ? null : decided.by === userId ? 'you' : 'other';
  const words = decided.decision === 'approved' && decided.scope === 'session' ? 'approvedSession' : decided.decision;
  const Icon = decided.decision === 'approved' ? Check : decided.decision === 'edited' ? Pencil : X;
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 px-10 pb-2 text-xs text-ink-3">
      <Icon
        aria-hidden="true"
        className={
          decided.decision === 'approved' || decided.decision === 'edited' ? 'size-3 text-ok' : 'size-3 text-bad'
        }
      />
      {t(`record.${words === 'reopened' ? 'approved' : words}`)}
      {by && ` ${t(`by.${by}`)}`}
      {decided.reason && <q className="text-ink-2 italic [overflow-wrap:anywhere]">{decided.reason}</q>}
    </p>
  );
}
