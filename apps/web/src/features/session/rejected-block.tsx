'use client';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { toast } from 'sonner';
import { useTRPCClient } from '../../trpc/client.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import type { RejectedItem } from './view-model.ts';

type RejectedProps = { rejected: RejectedItem; sessionId: string; canWrite: boolean };

/** The provider refused the conversation for the sake of one part: which, and a way to go on without it. */
export function RejectedBlock({ rejected, sessionId, canWrite }: RejectedProps) {
  const t = useTranslations('session.rejected');
  const api = useTRPCClient();
  const errorText = useErrorText();
  const drop = useMutation({
    mutationFn: () => api.sessions.dropBlock.mutate({ sessionId, seq: rejected.seq }),
    onError: (error) => toast.error(t('failed'), { description: errorText(error) }),
  });
  const { block } = rejected;
  const what = block.kind === 'message' ? t('message') : t(block.part, { callId: block.callId });
  return (
    <Callout tone={rejected.dropped ? 'info' : 'error'} next={rejected.dropped ? t('dropped') : rejected.reason}>
      <p>{t('what', { what })}</p>
      {canWrite && !rejected.dropped && (
        <Button size="sm" className="mt-2" disabled={drop.isPending || drop.isSuccess} onClick={() => drop.mutate()}>
          {t('drop')}
        </Button>
      )}
    </Callout>
  );
}
