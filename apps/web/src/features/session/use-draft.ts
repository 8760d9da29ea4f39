'use client';
import { useCallback, useEffect, useState } from 'react';

/** What was begun stays with the session in this browser until it is sent. */
export function useDraft(sessionId: string): [string, (text: string) => void] {
  const key = `oneslot-draft-${sessionId}`;
  const [text, setText] = useState('');
  useEffect(() => setText(localStorage.getItem(key) ?? ''), [key]);
  const change = useCallback(
    (next: string) => {
      setText(next);
      if (next === '') localStorage.removeItem(key);
      else localStorage.setItem(key, next);
    },
    [key],
  );
  return [text, change];
}
