'use client';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTRPCClient } from '../../trpc/client.ts';
import type { SessionDetail, SystemInfo } from '../../trpc/types.ts';
import { useLive } from '../live/live-provider.tsx';
import { keepQueued } from './pending-messages.ts';
import { createSessionStore, type SessionState, type SessionStore } from './session-store.ts';
import type { SessionStatus } from './view-model.ts';

const pageSize = 2_000;

/** Opens the session: its history first, then its part of the tab's stream. */
export function useSession(sessionId: string): SessionState & { store: SessionStore } {
  const api = useTRPCClient();
  const { follow } = useLive();
  const store = useMemo(
    () =>
      createSessionStore({
        history: (fromSeq) => api.sessions.history.query({ sessionId, fromSeq, limit: pageSize }),
        follow: (lastSeq, receive) => follow(sessionId, lastSeq, receive),
      }),
    [api, follow, sessionId],
  );
  useEffect(() => store.open(), [store]);
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState);
  useQueueCheck(sessionId, store, state);
  return { ...state, store };
}

/** The log does not say which message was taken back, so the queue is compared with the runner's when that may be. */
function useQueueCheck(sessionId: string, store: SessionStore, { loading, view }: SessionState): void {
  const api = useTRPCClient();
  const { connection } = useLive();
  const ready = loading === 'ready' && connection === 'live';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is the trigger
  useEffect(() => {
    const asked = store.getState().view.queued.map((one) => one.messageId);
    if (!ready || asked.length === 0) return;
    api.sessions.get.query({ sessionId }).then(
      ({ queued }) =>
        store.update((now) =>
          keepQueued(
            now,
            asked,
            queued.map((one) => one.messageId),
          ),
        ),
      (error: unknown) => console.warn('The queue could not be compared.', error),
    );
  }, [api, ready, sessionId, store, view.changeVersion]);
}

/** What the head of the page shows: the log's word where it is known, else what the server rendered with. */
export function useSessionFacts({ view }: SessionState, initial: SessionDetail, engine: SystemInfo['engine']) {
  const { snapshot } = useLive();
  const [opened] = useState(initial);
  const summary = snapshot?.sessions.find((one) => one.id === initial.id);
  const status: SessionStatus = summary?.status ?? view.status ?? opened.status;
  return {
    title: view.title ?? opened.title,
    mode: view.mode ?? opened.mode,
    modelId: view.modelId ?? opened.modelId,
    sandbox: view.sandbox ?? { ...(opened.sandbox ?? notYet(engine)), tookMs: null },
    status,
    busy: view.turn !== null || status === 'running' || status === 'waiting',
  };
}

/** Before the first call there is no sandbox, yet what it will be is known. */
const notYet = ({ name, isolation }: SystemInfo['engine']) => ({
  engine: name,
  isolation,
  phase: 'absent',
  detail: null,
});

export type SessionFacts = ReturnType<typeof useSessionFacts>;
