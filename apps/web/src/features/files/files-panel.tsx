'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, FolderOpen, RefreshCw } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { useTRPC } from '../../trpc/client.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { FileTree } from './file-tree.tsx';
import { FileViewer } from './file-viewer.tsx';

/** The session's workspace. `version` rises when files change, so open folders and the shown file are read again. */
export function FilesPanel({ sessionId, version, phase }: { sessionId: string; version: number; phase: string }) {
  const errorText = useErrorText();
  const t = useTranslations('files');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [path, setPath] = useState<string | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.files.pathKey() });
  const seen = useRef(`${version} ${phase}`);
  useEffect(() => {
    if (seen.current === `${version} ${phase}`) return;
    seen.current = `${version} ${phase}`;
    queries.invalidateQueries({ queryKey: trpc.files.pathKey() });
  }, [version, phase, queries, trpc]);
  const root = useQuery(trpc.files.list.queryOptions({ sessionId, path: '.' }));
  if (path !== null) return <FileViewer sessionId={sessionId} path={path} onBack={() => setPath(null)} />;
  return (
    <>
      <div className="flex h-9 shrink-0 items-center gap-1 border-b border-line pr-2 pl-4">
        <span className="flex-1 truncate font-mono text-xs text-ink-3">/workspace</span>
        <Tooltip text={t('refresh')} side="bottom">
          <Button variant="ghost" size="icon-sm" aria-label={t('refresh')} onClick={refresh}>
            <RefreshCw className={root.isFetching ? 'animate-spin' : ''} />
          </Button>
        </Tooltip>
        <Tooltip text={t('download')} side="bottom">
          <Button asChild variant="ghost" size="icon-sm">
            <a href={`/api/sessions/${sessionId}/archive`} download aria-label={t('download')}>
              <Download />
            </a>
          </Button>
        </Tooltip>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        {root.isPending && [60, 45, 75, 50].map((width) => <Skeleton key={width} className="m-2 h-3" />)}
        {root.isError && (
          <Callout tone="info" role="status">
            {errorText(root.error)}
          </Callout>
        )}
        {root.data?.entries.length === 0 && <EmptyState icon={FolderOpen} title={t('empty')} text={t('emptyText')} />}
        {root.data && root.data.entries.length > 0 && (
          <FileTree sessionId={sessionId} entries={root.data.entries} onOpen={setPath} label={t('tree')} />
        )}
      </div>
    </>
  );
}
