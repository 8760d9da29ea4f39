'use client';
import { useMutation } from '@tanstack/react-query';
import { ArrowUp, Square } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { toast } from 'sonner';
import { useTRPCClient } from '../../trpc/client.ts';
import type { ModelSummary } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { useHotkeys } from '../shell/use-hotkeys.ts';
import { ModePicker } from './mode-picker.tsx';
import { ModelPicker } from './model-picker.tsx';
import { PromptBox } from './prompt-box.tsx';
import { QueuedMessages } from './queued-messages.tsx';
import type { SessionStore } from './session-store.ts';
import { useDraft } from './use-draft.ts';
import type { SessionFacts } from './use-session.ts';
import type { SessionView } from './view-model.ts';

type ComposerProps = {
  sessionId: string;
  view: SessionView;
  facts: SessionFacts;
  models: readonly ModelSummary[];
  store: SessionStore;
  onSend: (text: string) => void;
  canWrite: boolean;
  mayChange: boolean;
};

export function Composer({ sessionId, view, facts, models, store, onSend, canWrite, mayChange }: ComposerProps) {
  const t = useTranslations('composer');
  const [text, setText] = useDraft(sessionId);
  const box = useRef<HTMLTextAreaElement>(null);
  const stop = useStop(sessionId);
  const settings = useSettings(sessionId, facts.busy);
  const stopRunning = () => (facts.busy && mayChange && !stop.isPending ? stop.mutate() : false);
  useHotkeys({ '/': () => box.current?.focus(), Escape: stopRunning });
  const send = () => {
    if (text.trim() === '') return;
    onSend(text.trim());
    setText('');
  };
  const waiting = view.items.filter((item) => item.kind === 'call' && item.state === 'waiting' && item.result === null);
  return (
    <div className="flex flex-col gap-1.5">
      <QueuedMessages sessionId={sessionId} queued={view.queued} store={store} />
      {waiting.length > 0 && <WaitingNote count={waiting.length} callId={waiting[0]?.id ?? ''} />}
      <PromptBox
        box={box}
        text={text}
        onText={setText}
        onSend={send}
        onEscape={() => box.current?.blur()}
        label={t('label')}
        placeholder={canWrite ? t(facts.busy ? 'queueHint' : 'placeholder') : t('viewer')}
        disabled={!canWrite}
      >
        <ModePicker mode={facts.mode} onChange={settings.setMode} disabled={!mayChange} />
        <ModelPicker models={models} modelId={facts.modelId} onChange={settings.setModel} disabled={!mayChange} />
        <div className="ml-auto flex items-center gap-1.5">
          {facts.busy && (
            <Tooltip text={t('stopHint')}>
              <Button
                variant="danger"
                size="icon"
                aria-label={t('stop')}
                disabled={stop.isPending || !mayChange}
                onClick={() => stop.mutate()}
              >
                {stop.isPending ? <Spinner /> : <Square className="!size-3 fill-current" />}
              </Button>
            </Tooltip>
          )}
          <Button
            variant="primary"
            size="icon"
            aria-label={t(facts.busy ? 'queue' : 'send')}
            disabled={text.trim() === '' || !canWrite}
            onClick={send}
          >
            <ArrowUp />
          </Button>
        </div>
      </PromptBox>
    </div>
  );
}

/** Leads to the card that holds the turn. */
function WaitingNote({ count, callId }: { count: number; callId: string }) {
  const t = useTranslations('composer');
  const jump = () => {
    const card = document.querySelector<HTMLElement>(`[data-call="${CSS.escape(callId)}"] [data-card]:not(button)`);
    card?.scrollIntoView({ block: 'center' });
    card?.focus({ preventScroll: true });
  };
  return (
    <button
      type="button"
      onClick={jump}
      className="flex items-center gap-2 rounded-md bg-signal-soft px-3 py-1.5 text-left text-sm font-medium text-signal"
    >
      <span aria-hidden="true" className="size-2 rounded-full bg-signal-line animate-breathe" />
      {t('waiting', { count })}
    </button>
  );
}

function useStop(sessionId: string) {
  const errorText = useErrorText();
  const api = useTRPCClient();
  const t = useTranslations('composer');
  return useMutation({
    mutationFn: () => api.sessions.stop.mutate({ sessionId }),
    onError: (error) => toast.error(t('stopFailed'), { description: errorText(error) }),
  });
}

/** While a turn runs, a change waits for its next step; that is said, since nothing else would show it. */
function useSettings(sessionId: string, busy: boolean) {
  const errorText = useErrorText();
  const api = useTRPCClient();
  const t = useTranslations('composer');
  const onError = (error: unknown) => void toast.error(t('changeFailed'), { description: errorText(error) });
  const mode = useMutation({
    mutationFn: (next: SessionFacts['mode']) => api.sessions.setMode.mutate({ sessionId, mode: next }),
    onSuccess: () => busy && toast.info(t('modeFromNextCall')),
    onError,
  });
  const model = useMutation({
    mutationFn: (modelId: string) => api.sessions.setModel.mutate({ sessionId, modelId }),
    onSuccess: () => busy && toast.info(t('modelFromNextRequest')),
    onError,
  });
  return { setMode: mode.mutate, setModel: model.mutate };
}
