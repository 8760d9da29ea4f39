'use client';
import { useMutation } from '@tanstack/react-query';
import { CornerDownRight, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { toast } from 'sonner';
import { useTRPCClient } from '../../trpc/client.ts';
import { Button } from '../../ui/button.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { dropQueued } from './pending-messages.ts';
import type { SessionStore } from './session-store.ts';
import type { SessionView } from './view-model.ts';

/** Follow-ups that wait for the running turn; each may still be taken back. */
export function QueuedMessages({
  sessionId,
  queued,
  store,
}: {
  sessionId: string;
  queued: SessionView['queued'];
  store: SessionStore;
}) {
  const errorText = useErrorText();
  const t = useTranslations('composer');
  const api = useTRPCClient();
  const remove = useMutation({
    mutationFn: (messageId: string) => api.sessions.unqueue.mutate({ sessionId, messageId }),
    onSuccess: (_done, messageId) => store.update((view) => dropQueued(view, messageId)),
    onError: (error) => toast.error(t('removeFailed'), { description: errorText(error) }),
  });
  if (queued.length === 0) return null;
  return (
    <ul aria-label={t('queued')} className="flex flex-col gap-1">
      {queued.map(({ messageId, text }) => (
        <li
          key={messageId}
          className="flex items-center gap-2 rounded-md bg-sunken py-0.5 pr-1 pl-3 text-sm text-ink-2"
        >
          <CornerDownRight aria-hidden="true" className="size-3.5 shrink-0 text-ink-3" />
          <span className="min-w-0 flex-1 truncate">{text}</span>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t('removeQueued', { text })}
            disabled={remove.isPending}
            onClick={() => remove.mutate(messageId)}
          >
            <X />
          </Button>
        </li>
      ))}
    </ul>
  );
}
