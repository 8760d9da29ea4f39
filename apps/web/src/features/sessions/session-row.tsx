'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, Hand, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTRPC, useTRPCClient } from '../../trpc/client.ts';
import type { SessionSummary } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/menu.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { StatusDot } from './status-dot.tsx';

export function SessionRow({ session }: { session: SessionSummary }) {
  const t = useTranslations('sessions');
  const [asking, setAsking] = useState(false);
  return (
    <li className="group relative flex items-center gap-3 border-b border-line py-2.5 pr-1 pl-2 hover:bg-hover/60">
      <StatusDot status={session.status} approvals={session.pendingApprovals} />
      <div className="min-w-0 flex-1">
        <Link
          href={`/s/${session.id}`}
          prefetch={false}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {session.title}
        </Link>
        {session.lastText !== '' && <p className="truncate text-sm text-ink-3">{withoutMarks(session.lastText)}</p>}
      </div>
      {session.pendingApprovals > 0 && (
        <Chip tone="signal">
          <Hand aria-hidden="true" />
          {t('needsYou', { count: session.pendingApprovals })}
        </Chip>
      )}
      {session.status === 'failed' && <Chip tone="bad">{t('status.failed')}</Chip>}
      <RelativeTime at={session.updatedAt} className="hidden w-28 shrink-0 text-right text-xs text-ink-3 sm:block" />
      <Menu>
        <MenuTrigger asChild>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t('actions', { title: session.title })}
            className="relative z-10"
          >
            <Ellipsis />
          </Button>
        </MenuTrigger>
        <MenuContent align="end">
          <MenuItem onSelect={() => setAsking(true)} className="text-bad">
            <Trash2 />
            {t('delete')}
          </MenuItem>
        </MenuContent>
      </Menu>
      <DeleteDialog session={session} open={asking} onOpenChange={setAsking} />
    </li>
  );
}

function DeleteDialog({
  session,
  open,
  onOpenChange,
}: {
  session: SessionSummary;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const errorText = useErrorText();
  const t = useTranslations('sessions');
  const ui = useTranslations('ui');
  const api = useTRPCClient();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.sessions.remove.mutate({ sessionId: session.id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: trpc.sessions.list.pathKey() }),
    onError: (error) => toast.error(t('deleteFailed'), { description: errorText(error) }),
    onSettled: () => onOpenChange(false),
  });
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={t('deleteTitle')}
        description={t('deleteText', { title: session.title })}
        closeLabel={ui('close')}
        className="sm:w-[440px]"
      >
        <div className="flex justify-end gap-2 p-4">
          <Button onClick={() => onOpenChange(false)}>{ui('cancel')}</Button>
          <Button variant="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {t('delete')}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}

/** One line of prose: the marks of markdown say nothing there. */
const withoutMarks = (text: string): string => text.replace(/\*\*|`+|^#+\s+/gm, '');
