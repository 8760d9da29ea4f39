'use client';
import { RotateCw, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { dropPending } from './pending-messages.ts';
import type { SessionStore } from './session-store.ts';
import type { PendingMessage } from './view-model.ts';

type PendingProps = {
  pending: readonly PendingMessage[];
  store: SessionStore;
  onSend: (text: string, messageId?: string) => void;
};

/** Messages the runner has not confirmed: on their way, or back with the reason. */
export function PendingMessages({ pending, store, onSend }: PendingProps) {
  const t = useTranslations('session');
  const ui = useTranslations('ui');
  return pending.map(({ messageId, text, state, error }) => (
    <article key={messageId} className="max-w-[88%] self-end">
      <p className="rounded-lg rounded-br-[3px] bg-hover px-3.5 py-2.5 text-md [overflow-wrap:anywhere] whitespace-pre-wrap opacity-70">
        {text}
      </p>
      {state === 'sending' ? (
        <p className="mt-1 flex items-center justify-end gap-1.5 text-xs text-ink-3">
          <Spinner className="size-3" /> {t('sending')}
        </p>
      ) : (
        <div role="alert" className="mt-1 flex flex-wrap items-center justify-end gap-1.5 text-xs text-bad">
          {error}
          <Button size="sm" onClick={() => onSend(text, messageId)}>
            <RotateCw /> {t('sendAgain')}
          </Button>
          <Button
            size="icon-sm"
            variant="ghost"
            aria-label={ui('remove')}
            onClick={() => store.update((view) => dropPending(view, messageId))}
          >
            <X />
          </Button>
        </div>
      )}
    </article>
  ));
}
