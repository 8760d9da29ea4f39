'use client';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTRPCClient } from '../../trpc/client.ts';
import type { SessionDetail, SystemInfo } from '../../trpc/types.ts';
import { useLive } from '../live/live-provider.tsx';
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
  return { ...useSyncExternalStore(store.subscribe, store.getState, store.getState), store };
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
