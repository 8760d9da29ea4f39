'use client';
import { ShieldAlert } from 'lucide-react';
import { useFormatter, useNow, useTranslations } from 'next-intl';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Callout } from '../../ui/callout.tsx';
import { FocusSection } from '../../ui/focus-section.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { ApprovalActions, type Panel } from './approval-actions.tsx';
import { ApprovalRequest, type Request, TrickChips } from './approval-request.tsx';
import { useDecide } from './use-decide.ts';

/**
 * The trusted frame. Inside it stand only the product's own words and the request's bytes as escaped text;
 * no prose of a model is ever rendered here.
 */
export function ApprovalCard({ request, heading }: { request: Request; heading?: ReactNode }) {
  const errorText = useErrorText();
  const t = useTranslations('approvals');
  const end = useRef<HTMLDivElement>(null);
  const seen = useEndSeen(end, request.digest);
  const [panel, setPanel] = useState<Panel>('none');
  const [armed, setArmed] = useState(false);
  const decide = useDecide(request);
  const approve = () => {
    if (!decide.isPending && seen) decide.mutate({ decision: 'approve_once' });
    setArmed(false);
  };
  /** Two keys, never one: the first arms, Enter answers, anything else disarms. */
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    if (isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === 'a' && seen) setArmed(true);
    else if (event.key === 'Enter' && armed) approve();
    else if (event.key === 'd') setPanel('deny');
    else if (event.key === 'e' && seen) setPanel('edit');
    else if (event.key === 'Escape' && (armed || panel !== 'none')) setPanel('none');
    else return setArmed(false);
    if (event.key !== 'a') setArmed(false);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <FocusSection
      data-card
      data-approval={request.approvalId}
      aria-label={t('cardLabel', { tool: request.tool })}
      onKeyDown={keys}
      onBlur={() => setArmed(false)}
      className="overflow-hidden rounded-lg border-2 border-signal-line bg-surface focus-visible:outline-offset-2"
    >
      <div aria-hidden="true" className="trusted-hatch h-1.5 opacity-70" />
      <div className="flex flex-col gap-3 p-3.5">
        <Head request={request} heading={heading} />
        <TrickChips canonicalText={request.canonicalText} />
        <ApprovalRequest request={request} end={end} />
        {decide.isError && (
          <Callout tone="error" role="alert">
            {errorText(decide.error)}
          </Callout>
        )}
        <ApprovalActions
          request={request}
          seen={seen}
          armed={armed}
          onArm={setArmed}
          panel={panel}
          onPanel={setPanel}
          busy={decide.isPending || decide.isSuccess}
          onAnswer={(answer) => decide.mutate(answer)}
        />
      </div>
    </FocusSection>
  );
}

function Head({ request, heading }: { request: Request; heading: ReactNode }) {
  const t = useTranslations('approvals');
  const format = useFormatter();
  const now = useNow({ updateInterval: 60_000 });
  return (
    <div className="flex items-start gap-2.5">
      <ShieldAlert aria-hidden="true" className="mt-0.5 size-4.5 shrink-0 text-signal" />
      <div className="min-w-0 flex-1">
        <h2 className="text-base font-semibold">
          {t.rich('asks', {
            tool: request.tool,
            code: (chunks) => <code className="font-mono text-[0.94em]">{chunks}</code>,
          })}
        </h2>
        <p className="text-sm text-ink-2">
          {request.reason}{' '}
          <span suppressHydrationWarning>
            {t('deadline', { when: format.relativeTime(new Date(request.deadline), now) })}
          </span>
        </p>
        {heading}
      </div>
    </div>
  );
}

/** Whether the last line has been on the screen. Another request starts unseen again. */
function useEndSeen(end: React.RefObject<HTMLDivElement | null>, digest: string): boolean {
  const [seenDigest, setSeen] = useState<string | null>(null);
  useEffect(() => {
    const element = end.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(digest);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [end, digest]);
  return seenDigest === digest;
}

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLElement && ['INPUT', 'TEXTAREA'].includes(target.tagName);
}
