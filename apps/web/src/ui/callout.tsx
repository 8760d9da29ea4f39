import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

const tones = {
  info: { icon: Info, className: 'bg-sunken text-ink-2' },
  warning: { icon: TriangleAlert, className: 'bg-signal-soft text-signal' },
  error: { icon: CircleAlert, className: 'bg-bad-soft text-bad' },
};

/** One sentence that matters, and what to do about it. */
export function Callout({
  tone,
  children,
  next,
  role,
}: {
  tone: keyof typeof tones;
  children: ReactNode;
  next?: ReactNode;
  role?: 'alert' | 'status';
}) {
  const { icon: Icon, className } = tones[tone];
  return (
    <div role={role} className={cn('flex gap-2.5 rounded-md px-3 py-2 text-sm', className)}>
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <div>{children}</div>
        {next && <div className="mt-0.5 text-ink">{next}</div>}
      </div>
    </div>
  );
}
