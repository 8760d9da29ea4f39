'use client';
import { useEffect, useRef } from 'react';

/** Keys by `event.key`, with `mod+` for ⌘ or Ctrl. A handler that answers false lets the key pass on. */
export type Hotkeys = Record<string, (event: KeyboardEvent) => unknown>;

/** Plain keys are ignored while somebody types or a dialog or menu is open; `mod+` keys always work. */
export function useHotkeys(hotkeys: Hotkeys): void {
  const latest = useRef(hotkeys);
  latest.current = hotkeys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || event.isComposing) return;
      const modified = event.metaKey || event.ctrlKey;
      if (!modified && isBusy(event.target)) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const handler = latest.current[modified ? `mod+${key}` : key];
      if (handler && handler(event) !== false) event.preventDefault();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
