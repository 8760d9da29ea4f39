'use client';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { useTRPC } from '../../trpc/client.ts';
import type { Me, SessionDetail, SystemInfo } from '../../trpc/types.ts';
import { Callout } from '../../ui/callout.tsx';
import { cn } from '../../ui/class-names.ts';
import { useErrorText } from '../live/use-error-text.ts';
import { useCardKeys } from '../shell/use-card-keys.ts';
import { useHotkeys } from '../shell/use-hotkeys.ts';
import { useStoredFlag } from '../shell/use-stored-flag.ts';
import { Composer } from './composer.tsx';
import { IsolationBanner } from './isolation.tsx';
import { SessionHeader } from './session-header.tsx';
import { PhoneTabs, SidePanel } from './side-panel.tsx';
import { TodoPanel } from './todo-panel.tsx';
import { Transcript } from './transcript.tsx';
import { usePanelTab } from './use-panel-tab.ts';
import { useSend } from './use-send.ts';
import { useSession, useSessionFacts } from './use-session.ts';

type PageProps = { initial: SessionDetail; me: Me; engine: SystemInfo['engine'] };

export function SessionPage({ initial, me, engine }: PageProps) {
  const errorText = useErrorText();
  const t = useTranslations('session');
  const { view, loading, store } = useSession(initial.id);
  const facts = useSessionFacts({ view, loading }, initial, engine);
  const trpc = useTRPC();
  const models = useQuery(trpc.models.list.queryOptions()).data ?? [];
  const send = useSend(initial.id, store);
  const [tab, setTab] = usePanelTab();
  const [panelOpen, setPanelOpen] = useStoredFlag('panel', true);
  const root = useRef<HTMLDivElement>(null);
  useCardKeys(root);
  useHotkeys({ 'mod+.': () => setPanelOpen(!panelOpen) });
  return (
    <div className="flex h-full min-h-0 flex-col">
      <SessionHeader
        sessionId={initial.id}
        facts={facts}
        mayChange={initial.mayChange}
        panelOpen={panelOpen}
        onPanel={() => setPanelOpen(!panelOpen)}
      />
      <IsolationBanner isolation={facts.sandbox.isolation} />
      <PhoneTabs tab={tab} onTab={setTab} />
      <div className="flex min-h-0 flex-1">
        <div ref={root} className={cn('min-w-0 flex-1 flex-col', tab === 'chat' ? 'flex' : 'hidden lg:flex')}>
          {typeof loading === 'object' && (
            <div className="p-4">
              <Callout tone="error" role="alert" next={t('reloadHint')}>
                {errorText(loading.failed)}
              </Callout>
            </div>
          )}
          <Transcript
            view={view}
            loading={loading}
            sessionId={initial.id}
            me={me}
            models={models}
            facts={facts}
            onSend={send}
            store={store}
          />
          <div className="shrink-0 px-3 pb-3 sm:px-6 sm:pb-4">
            <div className="mx-auto flex w-full max-w-[760px] flex-col gap-2">
              <TodoPanel todos={view.todos} />
              <Composer
                sessionId={initial.id}
                view={view}
                facts={facts}
                models={models}
                store={store}
                onSend={send}
                canWrite={me.role !== 'viewer'}
                mayChange={initial.mayChange}
              />
            </div>
          </div>
        </div>
        <SidePanel
          tab={tab}
          onTab={setTab}
          open={panelOpen}
          view={view}
          facts={facts}
          sessionId={initial.id}
          models={models}
        />
      </div>
    </div>
  );
}
