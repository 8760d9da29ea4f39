'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useTRPC, useTRPCClient } from '../../trpc/client.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { DialogContent } from '../../ui/dialog.tsx';
import { FocusSection } from '../../ui/focus-section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { formatBytes } from '../tools/format-time.ts';
import { stripAnsi } from '../tools/strip-ansi.ts';

const pageBytes = 128 * 1_024;

/** The whole stored output of a call, a part at a time. */
export function OutputViewer({ sessionId, outputRef, title }: { sessionId: string; outputRef: string; title: string }) {
  const errorText = useErrorText();
  const t = useTranslations('output');
  const ui = useTranslations('ui');
  const trpc = useTRPC();
  const api = useTRPCClient();
  const parts = useInfiniteQuery({
    queryKey: [...trpc.envelopes.read.pathKey(), sessionId, outputRef],
    queryFn: ({ pageParam: start }) =>
      api.envelopes.read.query({ sessionId, ref: outputRef, start, end: start + pageBytes }),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.complete ? undefined : last.end),
  });
  const pages = parts.data?.pages ?? [];
  const last = pages.at(-1);
  return (
    <DialogContent
      side="right"
      title={title}
      description={last ? t('shown', { shown: formatBytes(last.end), total: formatBytes(last.bytes) }) : t('loading')}
      closeLabel={ui('close')}
    >
      <FocusSection aria-label={title} className="min-h-0 flex-1 overflow-auto bg-bg p-4">
        {parts.isPending && [90, 70, 82, 60].map((width) => <Skeleton key={width} className="mb-2 h-3" />)}
        {parts.isError && (
          <Callout tone="error" role="alert">
            {errorText(parts.error)}
          </Callout>
        )}
        {pages.map((page) => (
          <pre
            key={page.start}
            className="font-mono text-xs leading-[19px] [overflow-wrap:anywhere] whitespace-pre-wrap"
          >
            {stripAnsi(page.text)}
          </pre>
        ))}
      </FocusSection>
      <div className="flex items-center justify-between gap-3 border-t border-line px-4 py-2.5">
        <span className="truncate font-mono text-2xs text-ink-3">{outputRef}</span>
        {parts.hasNextPage && (
          <Button size="sm" disabled={parts.isFetchingNextPage} onClick={() => parts.fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </div>
    </DialogContent>
  );
}
