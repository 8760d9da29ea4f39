'use client';
import { ChevronRight, FileDiff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useMemo } from 'react';
import { DiffCount, DiffView } from '../../ui/diff-view.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { parseDiff } from '../../ui/parse-diff.ts';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import type { FileChange } from '../tools/read-result-data.ts';
import { deriveChanges } from './derive-changes.ts';
import type { Item } from './view-model.ts';

export function ChangesPanel({ items }: { items: readonly Item[] }) {
  const t = useTranslations('changes');
  const turns = useMemo(() => deriveChanges(items), [items]);
  if (turns.length === 0) return <EmptyState icon={FileDiff} title={t('empty')} text={t('emptyText')} />;
  return (
    <div className="flex flex-col gap-5 p-3">
      {turns.map((turn) => (
        <section key={turn.turnId}>
          <h2 className="mb-1.5 line-clamp-2 px-1 text-xs font-normal tracking-normal text-ink-2 [overflow-wrap:anywhere]">
            {turn.message}
          </h2>
          <div className="surface-card overflow-hidden">
            {turn.files.map((file) => (
              <File key={file.path} path={file.path} changes={file.changes} />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

function File({ path, changes }: { path: string; changes: readonly FileChange[] }) {
  const t = useTranslations('changes');
  const diff = useMemo(() => parseDiff(changes.map((change) => change.diff).join('\n')), [changes]);
  return (
    <details className="group border-line not-first:border-t">
      <summary className="flex cursor-pointer list-none items-center gap-2 px-2.5 py-1.5 text-sm hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-3.5 shrink-0 text-ink-3 transition-transform group-open:rotate-90"
        />
        <span className="min-w-0 flex-1 truncate font-mono text-xs">{path}</span>
        {changes[0]?.created && <span className="text-2xs text-ok">{t('created')}</span>}
        <DiffCount diff={diff} />
      </summary>
      <ScrollArea label={path} className="overflow-x-auto border-t border-line">
        <DiffView diff={diff} />
      </ScrollArea>
    </details>
  );
}
