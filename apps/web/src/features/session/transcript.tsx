'use client';
import { ArrowDown } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Me, ModelSummary } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { FocusSection } from '../../ui/focus-section.tsx';
import { groupItems } from './group-items.ts';
import { PendingMessages } from './pending-list.tsx';
import { SandboxLine } from './sandbox-line.tsx';
import { TranscriptSkeleton } from './session-loading.tsx';
import { SessionOpening } from './session-opening.tsx';
import type { SessionState, SessionStore } from './session-store.ts';
import { TranscriptEntry } from './transcript-entry.tsx';
import type { SessionFacts } from './use-session.ts';
import type { SessionView } from './view-model.ts';

type TranscriptProps = {
  view: SessionView;
  loading: SessionState['loading'];
  sessionId: string;
  me: Me;
  models: readonly ModelSummary[];
  facts: SessionFacts;
  onSend: (text: string, messageId?: string) => void;
  store: SessionStore;
};

export function Transcript({ view, loading, sessionId, me, models, facts, onSend, store }: TranscriptProps) {
  const t = useTranslations('session');
  const { scroller, content, pinned, toEnd } = usePinnedScroll();
  const entries = useMemo(() => groupItems(view.items), [view.items]);
  const empty = loading === 'ready' && entries.length === 0 && view.pending.length === 0 && view.queued.length === 0;
  return (
    <div className="relative min-h-0 flex-1">
      <FocusSection ref={scroller} aria-label={t('transcript')} className="h-full overflow-y-auto px-3 sm:px-6">
        <div ref={content} className="mx-auto flex min-h-full w-full max-w-[760px] flex-col gap-4 py-6">
          {loading === 'history' && <TranscriptSkeleton />}
          {empty && (
            <SessionOpening
              models={models}
              modelId={facts.modelId}
              isolation={facts.sandbox.isolation}
              onSend={onSend}
            />
          )}
          {entries.map((entry) => (
            <TranscriptEntry key={entry.id} entry={entry} sessionId={sessionId} me={me} />
          ))}
          <PendingMessages pending={view.pending} store={store} onSend={onSend} />
          {loading === 'ready' && <SandboxLine sandbox={facts.sandbox} />}
          {view.turn && <Working view={view} />}
        </div>
      </FocusSection>
      {!pinned && (
        <Button
          size="sm"
          className="absolute bottom-2 left-1/2 -translate-x-1/2 rounded-full shadow-float"
          onClick={toEnd}
        >
          <ArrowDown />
          {t('toEnd')}
        </Button>
      )}
    </div>
  );
}

/** Says that the model was asked while it has not said anything yet. */
function Working({ view }: { view: SessionView }) {
  const t = useTranslations('session');
  const last = view.items.at(-1);
  const silent = last?.kind !== 'step' || last.text === '';
  const calling = view.items.some((item) => item.kind === 'call' && item.result === null);
  if (!silent || calling) return null;
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-ink-3">
      <span aria-hidden="true" className="flex gap-1">
        {[0, 1, 2].map((one) => (
          <span
            key={one}
            className="size-1.5 rounded-full bg-accent animate-breathe"
            style={{ animationDelay: `${one * 200}ms` }}
          />
        ))}
      </span>
      {t('thinking')}
    </p>
  );
}

/** Stays at the end while the reader is there, and never pulls a reader away from elsewhere. */
function usePinnedScroll() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [pinned, setPinned] = useState(true);
  const pinnedNow = useRef(true);
  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    let lastTop = box.scrollTop;
    const look = () => {
      const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 48;
      // Only a move upwards leaves the end: growing content must not be taken for a reader who scrolled.
      if (atEnd || box.scrollTop < lastTop - 2) pinnedNow.current = atEnd;
      lastTop = box.scrollTop;
      setPinned(pinnedNow.current);
    };
    const grown = new ResizeObserver(() => {
      if (pinnedNow.current) box.scrollTop = box.scrollHeight;
    });
    grown.observe(inner);
    grown.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      grown.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, []);
  const toEnd = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: 'smooth' });
  return { scroller, content, pinned, toEnd };
}
