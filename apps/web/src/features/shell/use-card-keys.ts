'use client';
import type { RefObject } from 'react';
import { useHotkeys } from './use-hotkeys.ts';

/** j and k walk over the cards below `root`. */
export function useCardKeys(root: RefObject<HTMLElement | null>): void {
  const walk = (step: 1 | -1) => {
    const cards = [...(root.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])].filter(
      (card) => card.offsetParent !== null,
    );
    if (cards.length === 0) return false;
    const active = document.activeElement;
    const place = cards.findIndex((card) => card === active || card.contains(active));
    const next =
      place < 0 ? (step === 1 ? 0 : cards.length - 1) : Math.min(cards.length - 1, Math.max(0, place + step));
    cards[next]?.focus();
    cards[next]?.scrollIntoView({ block: 'nearest' });
    return true;
  };
  useHotkeys({ j: () => walk(1), k: () => walk(-1) });
}
