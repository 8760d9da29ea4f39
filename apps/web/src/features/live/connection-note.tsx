'use client';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { Spinner } from '../../ui/spinner.tsx';
import { useLive } from './live-provider.tsx';

/** Says that the stream is away, after a moment: a short blink is nobody's concern. */
export function ConnectionNote() {
  const t = useTranslations('live');
  const { connection } = useLive();
  const [away, setAway] = useState(false);
  useEffect(() => {
    if (connection === 'live') return setAway(false);
    const timer = setTimeout(() => setAway(true), 2_000);
    return () => clearTimeout(timer);
  }, [connection]);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-2 z-30 flex justify-center"
    >
      {away && (
        <span className="inline-flex items-center gap-2 rounded-full border border-signal-line bg-signal-soft px-3 py-1 text-xs font-medium text-signal shadow-float animate-rise">
          <Spinner className="size-3" />
          {t('reconnecting')}
        </span>
      )}
    </div>
  );
}
