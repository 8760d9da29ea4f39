'use client';
import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useState } from 'react';

const key = 'oneslot-panel-width';
const bounds = { least: 280, most: 900, start: 400 };
const clamp = (width: number) => Math.min(bounds.most, Math.max(bounds.least, Math.round(width)));

export function usePanelWidth(): [number, (width: number) => void] {
  const [width, setWidth] = useState(bounds.start);
  useEffect(() => {
    const stored = Number(localStorage.getItem(key));
    if (stored > 0) setWidth(clamp(stored));
  }, []);
  const set = useCallback((next: number) => {
    setWidth(clamp(next));
    localStorage.setItem(key, String(clamp(next)));
  }, []);
  return [width, set];
}

/** The border one can drag; arrow keys do the same. */
export function ResizeHandle({ width, onWidth }: { width: number; onWidth: (width: number) => void }) {
  const t = useTranslations('panel');
  const drag = (event: PointerEvent<HTMLHRElement>) => {
    if (event.buttons === 1) onWidth(window.innerWidth - event.clientX);
  };
  const keys = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? 24 : event.key === 'ArrowRight' ? -24 : 0;
    if (step === 0) return;
    event.preventDefault();
    onWidth(width + step);
  };
  return (
    <hr
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('resize')}
      aria-valuenow={width}
      aria-valuemin={bounds.least}
      aria-valuemax={bounds.most}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={keys}
      className="absolute inset-y-0 -left-1 z-10 m-0 hidden w-2 cursor-col-resize touch-none border-0 hover:bg-accent/25 lg:block"
    />
  );
}
