'use client';
import { Check, X } from 'lucide-react';
import type { TestPhase } from '../../trpc/types.ts';
import { formatMs } from '../tools/format-time.ts';

/** Each step of a connection with what it found, so that a failure names its place. */
export function TestPhases({ phases }: { phases: readonly TestPhase[] }) {
  return (
    <div role="status">
      <ol className="mt-3 flex flex-col gap-1 rounded-md bg-sunken px-3 py-2.5 text-sm">
        {phases.map((phase) => (
          <li key={phase.name} className="flex items-start gap-2">
            <span aria-hidden="true" className="mt-1 [&_svg]:size-3.5">
              {phase.ok ? <Check className="text-ok" /> : <X className="text-bad" />}
            </span>
            <span className="w-28 shrink-0 font-medium">{phase.name}</span>
            <span
              className={
                phase.ok
                  ? 'min-w-0 flex-1 text-ink-2 [overflow-wrap:anywhere]'
                  : 'min-w-0 flex-1 text-bad [overflow-wrap:anywhere]'
              }
            >
              {phase.detail}
            </span>
            <span className="shrink-0 font-mono text-2xs text-ink-3 tabular-nums">{formatMs(phase.tookMs)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
