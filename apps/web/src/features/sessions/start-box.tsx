'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useTRPC, useTRPCClient } from '../../trpc/client.ts';
import type { Mode } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { ModePicker } from '../session/mode-picker.tsx';
import { ModelPicker } from '../session/model-picker.tsx';
import { PromptBox } from '../session/prompt-box.tsx';

/** The first message makes the session. */
export function StartBox() {
  const t = useTranslations('sessions');
  const [text, setText] = useState('');
  const [mode, setMode] = useState<Mode>('agent');
  const [modelId, setModelId] = useState<string | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const asked = useSearchParams().has('new');
  useEffect(() => {
    if (asked) box.current?.focus();
  }, [asked]);
  const trpc = useTRPC();
  const models = useQuery(trpc.models.list.queryOptions());
  const start = useStartSession();
  const send = () => {
    if (text.trim() !== '' && !start.isPending) start.mutate({ text: text.trim(), mode, modelId });
  };
  return (
    <PromptBox
      box={box}
      text={text}
      onText={setText}
      onSend={send}
      label={t('startLabel')}
      placeholder={t('startPlaceholder')}
      disabled={start.isPending}
    >
      <ModePicker mode={mode} onChange={setMode} />
      <ModelPicker models={models.data ?? []} modelId={modelId} onChange={setModelId} />
      <Button
        variant="primary"
        size="icon"
        className="ml-auto"
        aria-label={t('start')}
        disabled={text.trim() === '' || start.isPending}
        onClick={send}
      >
        {start.isPending ? <Spinner /> : <ArrowUp />}
      </Button>
    </PromptBox>
  );
}

type Start = { text: string | null; mode: Mode; modelId: string | null };

export function useStartSession() {
  const errorText = useErrorText();
  const api = useTRPCClient();
  const router = useRouter();
  const t = useTranslations('sessions');
  return useMutation({
    mutationFn: async ({ text, mode, modelId }: Start) => {
      const { id } = await api.sessions.create.mutate({ mode, ...(modelId && { modelId }) });
      if (text) await api.sessions.send.mutate({ sessionId: id, text, messageId: crypto.randomUUID() });
      return id;
    },
    onSuccess: (id) => router.push(`/s/${id}`),
    onError: (error) => toast.error(t('startFailed'), { description: errorText(error) }),
  });
}
