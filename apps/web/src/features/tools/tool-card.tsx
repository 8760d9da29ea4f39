'use client';
import { ChevronRight, Wrench } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { memo, useId, useState } from 'react';
import { Chip } from '../../ui/chip.tsx';
import { cn } from '../../ui/class-names.ts';
import { DiffCount } from '../../ui/diff-view.tsx';
import { parseDiff } from '../../ui/parse-diff.ts';
import { CallApproval } from '../approvals/call-approval.tsx';
import { QuestionCard } from '../questions/question-card.tsx';
import type { CallItem } from '../session/view-model.ts';
import { CallDetails } from './call-details.tsx';
import { CallGist } from './call-gist.tsx';
import { formatMs } from './format-time.ts';
import { changeOf } from './read-result-data.ts';
import { ToolState } from './tool-state.tsx';

type ToolCardProps = { call: CallItem; sessionId: string; userId: string };

/** One call of a tool: a line while all is well, more where a person has to look. */
export const ToolCard = memo(function ToolCard({ call, sessionId, userId }: ToolCardProps) {
  const t = useTranslations('calls');
  const [open, setOpen] = useState(false);
  const details = useId();
  const change = changeOf(call.result);
  return (
    <div className="border-line not-first:border-t" data-call={call.id}>
      <button
        type="button"
        data-card
        aria-expanded={open}
        aria-controls={details}
        onClick={() => setOpen(!open)}
        className="group flex min-h-9 w-full items-center gap-2 px-2.5 py-1.5 text-left hover:bg-hover/60 focus-visible:-outline-offset-2"
      >
        <ToolState state={call.state} />
        <span className={cn('min-w-0 flex-1 truncate text-sm', call.state === 'failed' && 'text-bad')}>
          {call.title}
        </span>
        <span className="flex shrink-0 items-center gap-1.5">
          {change && <DiffCount diff={parseDiff(change.diff)} />}
          <CallChips call={call} />
          <span className="hidden font-mono text-2xs text-ink-3 sm:inline">{call.tool ?? call.name}</span>
          {call.result && (
            <span className="min-w-12 text-right font-mono text-2xs text-ink-3 tabular-nums">
              {formatMs(call.result.tookMs)}
            </span>
          )}
          <ChevronRight
            aria-hidden="true"
            className={cn('size-3.5 text-ink-3 transition-transform', open && 'rotate-90')}
          />
          <span className="sr-only">{t('details')}</span>
        </span>
      </button>
      {!open && <CallGist call={call} />}
      <div id={details}>{open && <CallDetails call={call} sessionId={sessionId} />}</div>
      {call.approval && <CallApproval approval={call.approval} finished={call.result !== null} userId={userId} />}
      {call.questions && <QuestionCard call={call} sessionId={sessionId} />}
    </div>
  );
});

function CallChips({ call }: { call: CallItem }) {
  const t = useTranslations('calls');
  return (
    <>
      {call.repair && call.repair.rung !== 'strict' && (
        <Chip tone={call.repair.unrepaired ? 'bad' : 'outline'} title={t('repairTitle')}>
          <Wrench aria-hidden="true" />
          {call.repair.unrepaired ? t('unrepaired') : t('repaired')}
        </Chip>
      )}
      {call.decision === 'refused' && <Chip tone="bad">{t('refused')}</Chip>}
      {call.level === 'required' && call.decision !== 'refused' && call.approval?.decided == null && (
        <Chip tone="outline" className="hidden sm:inline-flex">
          {t('level.required')}
        </Chip>
      )}
      {call.result?.untrusted && <Chip tone="signal">{t('untrusted')}</Chip>}
    </>
  );
}
