'use client';
import { ChevronRight, Search } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useMemo, useState } from 'react';
import type { ToolSummary } from '../../trpc/types.ts';
import { Chip } from '../../ui/chip.tsx';
import { CodeView } from '../../ui/code-view.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';

/** Every tool a session can have, by family; what each may touch follows from its capabilities. */
export function ToolList({ tools }: { tools: readonly ToolSummary[] }) {
  const t = useTranslations('tools');
  const [query, setQuery] = useState('');
  const families = useMemo(() => byFamily(tools, query.trim().toLowerCase()), [tools, query]);
  const resident = tools.filter((tool) => tool.load === 'resident');
  return (
    <div className="mx-auto w-full max-w-[980px] px-4 py-8 sm:px-8">
      <PageHeader
        title={t('title')}
        text={t('text', { count: tools.length, resident: resident.length, tokens: sum(resident) })}
      >
        <label className="flex h-8 w-56 items-center gap-2 rounded-md border border-line-strong bg-surface px-2 text-ink-3 focus-within:border-accent">
          <Search aria-hidden="true" className="size-3.5" />
          <span className="sr-only">{t('search')}</span>
          <input
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            placeholder={t('search')}
            className="w-full bg-transparent text-sm text-ink outline-none placeholder:text-ink-3"
          />
        </label>
      </PageHeader>
      {families.length === 0 && <p className="py-12 text-center text-sm text-ink-2">{t('none')}</p>}
      <div className="flex flex-col gap-7">
        {families.map(([family, members]) => (
          <section key={family}>
            <h2 className="mb-2 text-sm font-semibold capitalize">{family}</h2>
            <div className="surface-card overflow-hidden">
              {members.map((tool) => (
                <ToolRow key={tool.name} tool={tool} />
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  );
}

function ToolRow({ tool }: { tool: ToolSummary }) {
  const t = useTranslations('tools');
  return (
    <details className="group border-line not-first:border-t">
      <summary className="grid cursor-pointer list-none grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1 px-3.5 py-2.5 hover:bg-hover/60 sm:grid-cols-[auto_180px_1fr_auto] [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-3.5 text-ink-3 transition-transform group-open:rotate-90" />
        <span className="font-mono text-sm font-medium">{tool.name}</span>
        <span className="order-last col-span-2 col-start-2 truncate text-sm text-ink-2 sm:order-none sm:col-auto">
          {tool.description}
        </span>
        <span className="flex items-center gap-1.5">
          {tool.state !== 'ready' && <Chip tone="bad">{t('unavailable')}</Chip>}
          <LevelChip level={tool.level} />
        </span>
      </summary>
      <div className="flex flex-col gap-3 border-t border-line bg-bg px-4 py-3.5">
        <p className="max-w-3xl text-sm [overflow-wrap:anywhere] whitespace-pre-line">{tool.description}</p>
        <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
          <Fact
            name={t('capabilities')}
            value={tool.capabilities.length === 0 ? t('noCapabilities') : tool.capabilities.join(', ')}
            mono
          />
          <Fact name={t('load')} value={t(`loads.${tool.load}`)} />
          <Fact name={t('source')} value={tool.source} mono />
          <Fact name={t('tokens')} value={String(tool.tokens)} />
        </dl>
        <ScrollArea label={t('schema')} className="max-h-80 overflow-auto rounded-md border border-line bg-surface">
          <CodeView code={JSON.stringify(tool.schema, null, 2)} language="json" className="p-3" />
        </ScrollArea>
      </div>
    </details>
  );
}

function LevelChip({ level }: { level: ToolSummary['level'] }) {
  const t = useTranslations('tools');
  const tone = level === 'required' ? 'signal' : level === 'suggest' ? 'accent' : 'neutral';
  return <Chip tone={tone}>{t(`level.${level}`)}</Chip>;
}

function Fact({ name, value, mono = false }: { name: string; value: string; mono?: boolean }) {
  return (
    <div>
      <dt className="text-2xs text-ink-3">{name}</dt>
      <dd className={mono ? 'font-mono text-xs' : ''}>{value}</dd>
    </div>
  );
}

const sum = (tools: readonly ToolSummary[]) => tools.reduce((total, tool) => total + tool.tokens, 0);

function byFamily(tools: readonly ToolSummary[], query: string): [string, ToolSummary[]][] {
  const families = new Map<string, ToolSummary[]>();
  for (const tool of tools) {
    if (query !== '' && !`${tool.name} ${tool.family} ${tool.description}`.toLowerCase().includes(query)) continue;
    families.set(tool.family, [...(families.get(tool.family) ?? []), tool]);
  }
  return [...families].sort(([a], [b]) => a.localeCompare(b));
}
