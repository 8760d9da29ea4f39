'use client';
import { Container } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { cn } from '../../ui/class-names.ts';
import { Spinner } from '../../ui/spinner.tsx';
import type { SessionFacts } from './use-session.ts';

const working = ['building-image', 'creating', 'starting', 'connecting'];
const known = ['building-image', 'creating', 'starting', 'connecting', 'lost', 'failed', 'stopped'] as const;

/** What the sandbox is doing, while that is worth a line. A ready one is silent. */
export function SandboxLine({ sandbox }: { sandbox: SessionFacts['sandbox'] }) {
  const t = useTranslations('sandbox');
  const phase = known.find((one) => one === sandbox.phase);
  if (!phase) return null;
  const failed = phase === 'failed' || phase === 'lost';
  return (
    <p role="status" className={cn('flex items-center gap-2 text-xs', failed ? 'text-bad' : 'text-ink-3')}>
      {working.includes(phase) ? <Spinner className="size-3" /> : <Container aria-hidden="true" className="size-3.5" />}
      <span className="[overflow-wrap:anywhere]">
        {t(`phase.${phase}`)}
        {sandbox.detail && ` ${sandbox.detail}`}
      </span>
    </p>
  );
}
