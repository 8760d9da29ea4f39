'use client';
import { useCallback, useSyncExternalStore } from 'react';

const changed = 'oneslot-flag';

/** A yes or no of this browser, such as a folded panel. The server renders the initial value. */
export function useStoredFlag(name: string, initial: boolean): [boolean, (value: boolean) => void] {
  const key = `oneslot-${name}`;
  const value = useSyncExternalStore(
    subscribe,
    () => {
      const stored = localStorage.getItem(key);
      return stored === null ? initial : stored === '1';
    },
    () => initial,
  );
  const set = useCallback(
    (next: boolean) => {
      localStorage.setItem(key, next ? '1' : '0');
      window.dispatchEvent(new Event(changed));
    },
    [key],
  );
  return [value, set];
}

function subscribe(listener: () => void): () => void {
  window.addEventListener(changed, listener);
  window.addEventListener('storage', listener);
  return () => {
    window.removeEventListener(changed, listener);
    window.removeEventListener('storage', listener);
  };
}
