'use client';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useTRPC } from '../../trpc/client.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useStartSession } from './start-box.tsx';

const steps = ['write', 'watch', 'approve'] as const;

/** The first sight of an empty installation: what happens here, and a way to see it happen without a key. */
export function TourWelcome() {
  const t = useTranslations('tour');
  const trpc = useTRPC();
  const models = useQuery(trpc.models.list.queryOptions());
  const tour = models.data?.find((model) => model.kind === 'tour');
  const start = useStartSession();
  return (
    <section aria-labelledby="tour-title" className="surface-card mt-8 overflow-hidden">
      <div className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
        <div className="max-w-md">
          <h2 id="tour-title" className="text-md font-semibold">
            {t('title')}
          </h2>
          <p className="text-sm text-ink-2">{t('text')}</p>
        </div>
        <Button
          variant="primary"
          size="lg"
          disabled={!tour || start.isPending}
          onClick={() => start.mutate({ text: t('firstMessage'), mode: 'agent', modelId: tour?.id ?? null })}
        >
          {start.isPending ? <Spinner /> : <ArrowRight />}
          {t('start')}
        </Button>
      </div>
      <ol className="grid border-t border-line sm:grid-cols-3">
        {steps.map((step, index) => (
          <li
            key={step}
            className="border-line px-5 py-4 not-last:border-b sm:not-last:border-r sm:not-last:border-b-0"
          >
            <span className="font-mono text-xs text-ink-3">{index + 1}</span>
            <h3 className="mt-1 text-sm font-semibold">{t(`${step}.title`)}</h3>
            <p className="mt-0.5 text-sm text-ink-2">{t(`${step}.text`)}</p>
          </li>
        ))}
      </ol>
      <p className="border-t border-line bg-sunken/60 px-5 py-2.5 text-sm text-ink-2">
        {t.rich('ownModel', {
          link: (chunks) => (
            <Link href="/settings/models" className="font-medium text-accent underline underline-offset-3">
              {chunks}
            </Link>
          ),
        })}
      </p>
    </section>
  );
}
