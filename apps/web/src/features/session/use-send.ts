'use client';
import { useCallback } from 'react';
import { useTRPCClient } from '../../trpc/client.ts';
import { useErrorText } from '../live/use-error-text.ts';
import { addPending, failPending } from './pending-messages.ts';
import type { SessionStore } from './session-store.ts';

/** Shows the message at once and sends it; the same id again is the same message, so trying again is safe. */
export function useSend(sessionId: string, store: SessionStore) {
  const errorText = useErrorText();
  const api = useTRPCClient();
  return useCallback(
    (text: string, messageId: string = crypto.randomUUID()) => {
      store.update((view) => addPending(view, messageId, text));
      api.sessions.send
        .mutate({ sessionId, text, messageId })
        .catch((error: unknown) => store.update((view) => failPending(view, messageId, errorText(error))));
    },
    [api, sessionId, store, errorText],
  );
}
