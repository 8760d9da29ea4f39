'use client';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, FileX2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../trpc/client.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { CodeView } from '../../ui/code-view.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FocusSection } from '../../ui/focus-section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { formatBytes } from '../tools/format-time.ts';

export function FileViewer({ sessionId, path, onBack }: { sessionId: string; path: string; onBack: () => void }) {
  const errorText = useErrorText();
  const t = useTranslations('files');
  const ui = useTranslations('ui');
  const trpc = useTRPC();
  const file = useQuery(trpc.files.read.queryOptions({ sessionId, path }));
  const text = file.data?.text ?? null;
  return (
    <>
      <div className="flex h-9 shrink-0 items-center gap-1 border-b border-line px-2">
        <Button variant="ghost" size="icon-sm" aria-label={t('back')} onClick={onBack}>
          <ArrowLeft />
        </Button>
        <span className="min-w-0 flex-1 truncate font-mono text-xs" title={path}>
          {path}
        </span>
        {file.data && <span className="text-2xs text-ink-3 tabular-nums">{formatBytes(file.data.sizeBytes)}</span>}
        {text !== null && <CopyButton text={text} label={ui('copy')} doneLabel={ui('copied')} />}
      </div>
      <FocusSection aria-label={path} className="min-h-0 flex-1 overflow-auto">
        {file.isPending && [80, 55, 90, 40, 70].map((width) => <Skeleton key={width} className="m-3 h-3" />)}
        {file.isError && (
          <div className="p-3">
            <Callout tone="error" role="alert">
              {errorText(file.error)}
            </Callout>
          </div>
        )}
        {text !== null && <CodeView code={text} language={path} numbers className="p-3" />}
        {file.data && text === null && (
          <EmptyState icon={FileX2} title={t(file.data.binary ? 'binary' : 'tooLarge')} text={t('noText')} />
        )}
      </FocusSection>
    </>
  );
}
