'use client';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, File, Folder, Link2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useTRPC } from '../../trpc/client.ts';
import type { FileEntry } from '../../trpc/types.ts';
import { cn } from '../../ui/class-names.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { formatBytes } from '../tools/format-time.ts';

type TreeProps = { sessionId: string; entries: readonly FileEntry[]; onOpen: (path: string) => void; label?: string };

/** Folders read their content when they are opened for the first time. */
export function FileTree({ sessionId, entries, onOpen, label }: TreeProps) {
  return (
    <ul aria-label={label}>
      {entries.map((entry) => (
        <Node key={entry.path} sessionId={sessionId} entry={entry} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function Node({ sessionId, entry, onOpen }: { sessionId: string; entry: FileEntry; onOpen: (path: string) => void }) {
  const errorText = useErrorText();
  const t = useTranslations('files');
  const trpc = useTRPC();
  const [open, setOpen] = useState(false);
  const folder = entry.kind === 'directory';
  const inside = useQuery(trpc.files.list.queryOptions({ sessionId, path: entry.path }, { enabled: folder && open }));
  const name = entry.path.split('/').at(-1) ?? entry.path;
  const Icon = folder ? Folder : entry.kind === 'link' ? Link2 : File;
  return (
    <li>
      <button
        type="button"
        {...(folder ? { 'aria-expanded': open } : {})}
        disabled={entry.kind === 'other' || entry.outside === true}
        onClick={() => (folder ? setOpen(!open) : onOpen(entry.path))}
        className="flex h-7 w-full items-center gap-1.5 rounded-sm px-1.5 text-left text-sm hover:bg-hover disabled:opacity-55"
      >
        <ChevronRight
          aria-hidden="true"
          className={cn(
            'size-3.5 shrink-0 text-ink-3 transition-transform',
            open && 'rotate-90',
            !folder && 'invisible',
          )}
        />
        <Icon aria-hidden="true" className={cn('size-3.5 shrink-0', folder ? 'text-accent' : 'text-ink-3')} />
        <span className="min-w-0 flex-1 truncate">
          {name}
          {entry.linkTarget && <span className="text-ink-3"> → {entry.linkTarget}</span>}
        </span>
        {entry.kind === 'file' && (
          <span className="shrink-0 text-2xs text-ink-3 tabular-nums">{formatBytes(entry.sizeBytes)}</span>
        )}
      </button>
      {open && (
        <div className="ml-3 border-l border-line pl-1.5">
          {inside.isPending && <Spinner className="m-2 text-ink-3" />}
          {inside.isError && <p className="p-1.5 text-xs text-bad">{errorText(inside.error)}</p>}
          {inside.data?.entries.length === 0 && <p className="p-1.5 text-xs text-ink-3">{t('emptyFolder')}</p>}
          {inside.data && <FileTree sessionId={sessionId} entries={inside.data.entries} onOpen={onOpen} />}
        </div>
      )}
    </li>
  );
}
