'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback } from 'react';

export const panelTabs = ['files', 'changes', 'details'] as const;
export type PanelTab = (typeof panelTabs)[number] | 'chat';

/** Which side is shown, kept in the address: `?panel=changes`. On a phone the transcript is a side like the others. */
export function usePanelTab(): [PanelTab, (tab: PanelTab) => void] {
  const asked = useSearchParams().get('panel');
  const tab: PanelTab = panelTabs.find((one) => one === asked) ?? 'chat';
  const set = useCallback((next: PanelTab) => {
    const url = new URL(window.location.href);
    if (next === 'chat') url.searchParams.delete('panel');
    else url.searchParams.set('panel', next);
    window.history.replaceState(null, '', url);
  }, []);
  return [tab, set];
}
