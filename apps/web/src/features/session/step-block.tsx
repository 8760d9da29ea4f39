'use client';
import { Brain, ChevronRight } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { lazy, Suspense } from 'react';
import { Chip } from '../../ui/chip.tsx';
import { cn } from '../../ui/class-names.ts';
import { OpenOutput } from '../envelopes/open-output.tsx';
import type { StepItem } from './view-model.ts';

// The markdown machinery is the heaviest part of the page; the text itself is shown until it is there.
const Markdown = lazy(() => import('../../ui/markdown.tsx').then((module) => ({ default: module.Markdown })));

/** One answer of the model: what it thought, folded, and what it said. */
export function StepBlock({ step, sessionId }: { step: StepItem; sessionId: string }) {
  const t = useTranslations('session');
  if (step.text === '' && step.reasoning === '' && step.forged === 0) return null;
  return (
    <article aria-label={t('answer')} className="flex flex-col gap-2">
      {step.reasoning !== '' && <Reasoning step={step} />}
      {step.text !== '' && (
        <Suspense fallback={<p className="prose whitespace-pre-wrap">{step.text}</p>}>
          <Markdown text={step.text} streaming={step.state === 'streaming'} />
        </Suspense>
      )}
      {step.textRef && (
        <OpenOutput sessionId={sessionId} outputRef={step.textRef} title={t('answer')} label={t('openWhole')} />
      )}
      <div className="flex gap-1.5 empty:hidden">
        {step.state === 'cut_off' && <Chip tone="signal">{t('cutOff')}</Chip>}
        {step.forged > 0 && <Chip tone="signal">{t('forged', { count: step.forged })}</Chip>}
      </div>
    </article>
  );
}

function Reasoning({ step }: { step: StepItem }) {
  const t = useTranslations('session');
  const thinking = step.state === 'streaming' && step.text === '';
  return (
    <details className="group text-sm">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1.5 rounded-sm text-xs text-ink-3 hover:text-ink-2 [&::-webkit-details-marker]:hidden">
        <Brain aria-hidden="true" className={cn('size-3.5', thinking && 'animate-breathe')} />
        {t(thinking ? 'reasoningNow' : 'reasoning')}
        <ChevronRight aria-hidden="true" className="size-3 transition-transform group-open:rotate-90" />
      </summary>
      <p className="mt-1.5 border-l border-line pl-3 text-ink-2 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {step.reasoning}
      </p>
    </details>
  );
}
