'use client';
import { useTranslations } from 'next-intl';
import { Tabs } from 'radix-ui';
import type { ModelSummary } from '../../trpc/types.ts';
import { cn } from '../../ui/class-names.ts';
import { FilesPanel } from '../files/files-panel.tsx';
import { ChangesPanel } from './changes-panel.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { ResizeHandle, usePanelWidth } from './panel-width.tsx';
import { type PanelTab, panelTabs } from './use-panel-tab.ts';
import type { SessionFacts } from './use-session.ts';
import type { SessionView } from './view-model.ts';

type PanelProps = {
  tab: PanelTab;
  onTab: (tab: PanelTab) => void;
  open: boolean;
  view: SessionView;
  facts: SessionFacts;
  sessionId: string;
  models: readonly ModelSummary[];
};

export function SidePanel({ tab, onTab, open, view, facts, sessionId, models }: PanelProps) {
  const t = useTranslations('panel');
  const [width, setWidth] = usePanelWidth();
  const shown = tab === 'chat' ? 'files' : tab;
  const choose = (value: string) => onTab(panelTabs.find((one) => one === value) ?? 'files');
  return (
    <aside
      aria-label={t('title')}
      style={{ '--panel': `${width}px` } as React.CSSProperties}
      className={cn(
        'relative min-w-0 flex-col bg-bg lg:w-(--panel) lg:shrink-0 lg:border-l lg:border-line',
        tab === 'chat' ? 'hidden' : 'flex w-full',
        open ? 'lg:flex' : 'lg:hidden',
      )}
    >
      <ResizeHandle width={width} onWidth={setWidth} />
      <Tabs.Root value={shown} onValueChange={choose} className="flex min-h-0 flex-1 flex-col">
        <Tabs.List
          aria-label={t('title')}
          className="hidden h-10 shrink-0 items-stretch gap-1 border-b border-line px-3 lg:flex"
        >
          {panelTabs.map((one) => (
            <Tabs.Trigger
              key={one}
              value={one}
              className="border-b-2 border-transparent px-2 text-sm text-ink-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {t(one)}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="files" className="flex min-h-0 flex-1 flex-col">
          <FilesPanel sessionId={sessionId} version={view.filesVersion} phase={facts.sandbox.phase} />
        </Tabs.Content>
        <Tabs.Content value="changes" className="min-h-0 flex-1 overflow-y-auto">
          <ChangesPanel items={view.items} />
        </Tabs.Content>
        <Tabs.Content value="details" className="min-h-0 flex-1 overflow-y-auto">
          <DetailsPanel view={view} facts={facts} models={models} sessionId={sessionId} />
        </Tabs.Content>
      </Tabs.Root>
    </aside>
  );
}

/** On narrow screens every side of the session is a page of its own. */
export function PhoneTabs({ tab, onTab }: { tab: PanelTab; onTab: (tab: PanelTab) => void }) {
  const t = useTranslations('panel');
  return (
    <nav aria-label={t('title')} className="flex h-10 shrink-0 items-stretch border-b border-line px-1.5 lg:hidden">
      {(['chat', ...panelTabs] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-current={tab === one ? 'page' : undefined}
          onClick={() => onTab(one)}
          className={cn(
            'flex-1 border-b-2 border-transparent text-sm text-ink-2',
            tab === one && 'border-accent font-medium text-ink',
          )}
        >
          {t(one)}
        </button>
      ))}
    </nav>
  );
}
