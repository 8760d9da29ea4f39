'use client';
import { useFormatter, useNow } from 'next-intl';

/** "3 minutes ago", renewed once a minute; the exact moment is in the title. */
export function RelativeTime({ at, className }: { at: Date | number; className?: string }) {
  const format = useFormatter();
  const now = useNow({ updateInterval: 60_000 });
  const date = new Date(at);
  // Server and browser read two clocks: the difference is expected, not a mistake.
  return (
    <time dateTime={date.toISOString()} title={date.toISOString()} className={className} suppressHydrationWarning>
      {format.relativeTime(date, now < date ? date : now)}
    </time>
  );
}
