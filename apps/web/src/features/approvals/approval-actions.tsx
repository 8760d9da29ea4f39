'use client';
import { ArrowDown, Check, Clock3, Pencil, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { MouseEvent } from 'react';
import { Button } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { DenyPanel, EditPanel, ScopePanel } from './approval-panels.tsx';
import type { Request } from './approval-request.tsx';
import type { Answer } from './use-decide.ts';

export type Panel = 'none' | 'session' | 'edit' | 'deny';

type ActionsProps = {
  request: Request;
  seen: boolean;
  armed: boolean;
  onArm: (armed: boolean) => void;
  panel: Panel;
  onPanel: (panel: Panel) => void;
  busy: boolean;
  onAnswer: (answer: Answer) => void;
};

export function ApprovalActions({ request, seen, armed, onArm, panel, onPanel, busy, onAnswer }: ActionsProps) {
  const t = useTranslations('approvals');
  const close = () => onPanel('none');
  const approve = (event: MouseEvent) => {
    // Zero clicks means the keyboard pressed it: that alone only arms.
    if (event.detail === 0 && !armed) return onArm(true);
    onAnswer({ decision: 'approve_once' });
  };
  if (panel === 'session') return <ScopePanel request={request} busy={busy} onClose={close} onAnswer={onAnswer} />;
  if (panel === 'edit') return <EditPanel request={request} busy={busy || !seen} onClose={close} onAnswer={onAnswer} />;
  if (panel === 'deny') return <DenyPanel busy={busy} onClose={close} onAnswer={onAnswer} />;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" disabled={!seen || busy} onClick={approve}>
          {busy ? <Spinner /> : <Check />}
          {armed ? t('pressEnter') : t('approveOnce')}
        </Button>
        {request.scopeWords !== null && (
          <Button disabled={!seen || busy} onClick={() => onPanel('session')}>
            <Clock3 />
            {t('approveSession')}
          </Button>
        )}
        <Button disabled={!seen || busy} onClick={() => onPanel('edit')}>
          <Pencil />
          {t('edit')}
        </Button>
        <Button variant="danger" disabled={busy} onClick={() => onPanel('deny')} className="sm:ml-auto">
          <X />
          {t('deny')}
        </Button>
      </div>
      <p className="flex flex-wrap items-center gap-x-1.5 text-xs text-ink-3" role="status">
        {seen ? (
          <>
            <Kbd>a</Kbd> <Kbd>Enter</Kbd> {t('keysApprove')} <Kbd>e</Kbd> {t('keysEdit')} <Kbd>d</Kbd> {t('keysDeny')}
          </>
        ) : (
          <>
            <ArrowDown aria-hidden="true" className="size-3.5 text-signal" />
            <span className="text-signal">{t('scrollToEnd')}</span>
          </>
        )}
      </p>
    </div>
  );
}
