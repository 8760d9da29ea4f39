'use client';
import { useSubscription } from '@trpc/tanstack-react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import { useTRPC } from '../../trpc/client.ts';
import type { PendingApproval, SessionSummary, StoredEvent } from '../../trpc/types.ts';

export type Connection = 'connecting' | 'live' | 'lost';
type Snapshot = { sessions: SessionSummary[]; approvals: PendingApproval[] };
type Follow = (sessionId: string, lastSeq: number, receive: (stored: StoredEvent) => void) => () => void;
type Live = { connection: Connection; snapshot: Snapshot | null; follow: Follow };

const LiveContext = createContext<Live | null>(null);

/**
 * The one stream of this tab. Lists and badges come as whole snapshots; events only for the session a page follows,
 * from the place its history ends.
 */
export function LiveProvider({ children }: { children: ReactNode }) {
  const trpc = useTRPC();
  const [snapshot, setSnapshot] = useState<Snapshot | null>(null);
  const [followed, setFollowed] = useState<{ sessionId: string; lastSeq: number } | null>(null);
  const receiver = useRef<((stored: StoredEvent) => void) | null>(null);

  const follow = useCallback<Follow>((sessionId, lastSeq, receive) => {
    receiver.current = receive;
    setFollowed({ sessionId, lastSeq });
    return () => {
      if (receiver.current !== receive) return;
      receiver.current = null;
      setFollowed(null);
    };
  }, []);

  const input = followed
    ? { sessionId: followed.sessionId, lastEventId: `${followed.sessionId}:${followed.lastSeq}` }
    : {};
  const { status } = useSubscription(
    trpc.events.subscriptionOptions(input, {
      onData: (message) => {
        const data = 'id' in message ? message.data : message;
        if (data.kind === 'snapshot') setSnapshot({ sessions: data.sessions, approvals: data.approvals });
        else receiver.current?.(data.stored);
      },
    }),
  );

  const connection: Connection = status === 'pending' ? 'live' : status === 'error' ? 'lost' : 'connecting';
  const live = useMemo(() => ({ connection, snapshot, follow }), [connection, snapshot, follow]);
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (!live) throw new Error('useLive needs a LiveProvider above it.');
  return live;
}
