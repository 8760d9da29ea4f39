'use client';
import { useMutation } from '@tanstack/react-query';
import { PanelRight, Pencil } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { useTRPCClient } from '../../trpc/client.ts';
import { Button } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { StatusDot } from '../sessions/status-dot.tsx';
import { MenuButton } from '../shell/menu-context.tsx';
import { IsolationBadge } from './isolation.tsx';
import type { SessionFacts } from './use-session.ts';

type HeaderProps = {
  sessionId: string;
  facts: SessionFacts;
  mayChange: boolean;
  panelOpen: boolean;
  onPanel: () => void;
};

export function SessionHeader({ sessionId, facts, mayChange, panelOpen, onPanel }: HeaderProps) {
  const t = useTranslations('session');
  return (
    <header className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line pr-2 pl-4">
      <MenuButton />
      <StatusDot status={facts.busy && facts.status === 'idle' ? 'running' : facts.status} approvals={0} />
      {mayChange ? <Title sessionId={sessionId} title={facts.title} /> : <TitleText title={facts.title} />}
      <div className="ml-auto flex shrink-0 items-center gap-2">
        <IsolationBadge isolation={facts.sandbox.isolation} />
        <Tooltip text={t(panelOpen ? 'hidePanel' : 'showPanel')} side="bottom">
          <Button
            variant="ghost"
            size="icon"
            aria-label={t(panelOpen ? 'hidePanel' : 'showPanel')}
            aria-pressed={panelOpen}
            onClick={onPanel}
            className="hidden lg:inline-flex"
          >
            <PanelRight />
          </Button>
        </Tooltip>
      </div>
    </header>
  );
}

function Title({ sessionId, title }: { sessionId: string; title: string }) {
  const errorText = useErrorText();
  const t = useTranslations('session');
  const api = useTRPCClient();
  const [draft, setDraft] = useState<string | null>(null);
  const rename = useMutation({
    mutationFn: (next: string) => api.sessions.rename.mutate({ sessionId, title: next }),
    onError: (error) => toast.error(t('renameFailed'), { description: errorText(error) }),
  });
  const save = (event?: FormEvent) => {
    event?.preventDefault();
    const next = draft?.trim();
    setDraft(null);
    if (next && next !== title) rename.mutate(next);
  };
  if (draft !== null) {
    return (
      <form onSubmit={save} className="min-w-0 flex-1">
        <input
          value={draft}
          ref={focusOnce}
          maxLength={200}
          aria-label={t('rename')}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={() => save()}
          onKeyDown={(event) => event.key === 'Escape' && setDraft(null)}
          className="h-8 w-full max-w-96 rounded-md border border-line-strong bg-surface px-2 text-base"
        />
      </form>
    );
  }
  return (
    <div className="group flex min-w-0 items-center gap-1">
      <TitleText title={title} />
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t('rename')}
        onClick={() => setDraft(title)}
        className="opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
      >
        <Pencil className="!size-3.5" />
      </Button>
    </div>
  );
}

const TitleText = ({ title }: { title: string }) => <h1 className="truncate text-base font-semibold">{title}</h1>;

const focusOnce = (input: HTMLInputElement | null) => input?.select();
