'use client';
import { useQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'next-intl';
import { useTRPC } from '../../trpc/client.ts';
import type { ModelSummary, ModelStatistics as Statistics } from '../../trpc/types.ts';
import { Callout } from '../../ui/callout.tsx';
import { useErrorText } from '../live/use-error-text.ts';

const days = 30;

/** How cleanly each model calls tools: what had to be mended, refused, removed or stopped. For administrators. */
export function ModelStatistics({ models }: { models: readonly ModelSummary[] }) {
  const t = useTranslations('models.statistics');
  const errorText = useErrorText();
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.stats.models.queryOptions({ days }));
  return (
    <section aria-labelledby="statistics" className="mt-10">
      <h2 id="statistics" className="text-md font-semibold">
        {t('title')}
      </h2>
      <p className="mb-3 text-sm text-ink-2">{t('text', { days })}</p>
      {error && (
        <Callout tone="error" role="alert">
          {errorText(error)}
        </Callout>
      )}
      {data?.length === 0 && <p className="surface-card px-4 py-6 text-center text-sm text-ink-2">{t('empty')}</p>}
      {data && data.length > 0 && (
        <ul className="surface-card divide-y divide-line overflow-hidden">
          {data.map((one) => (
            <ModelRow key={one.modelId} one={one} name={nameOf(one.modelId, models)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ModelRow({ one, name }: { one: Statistics; name: string }) {
  const t = useTranslations('models.statistics');
  const refused = one.refusals.reduce((sum, { count }) => sum + count, 0);
  return (
    <li className="px-4 py-3">
      <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
      <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-5">
        <Figure label={t('calls')} value={one.calls} of={null} />
        <Figure label={t('mended')} value={one.mended} of={one.calls} />
        <Figure label={t('refused')} value={refused} of={one.calls} />
        <Figure label={t('forged')} value={one.forged} of={null} />
        <Figure label={t('loops')} value={one.loops} of={one.calls} />
      </dl>
      <Breakdown title={t('rungs')} rows={one.rungs} />
      <Breakdown title={t('codes')} rows={one.refusals} />
    </li>
  );
}

function Figure({ label, value, of }: { label: string; value: number; of: number | null }) {
  const format = useFormatter();
  return (
    <div>
      <dt className="text-2xs text-ink-3">{label}</dt>
      <dd className="tabular-nums">
        {format.number(value)}
        {of !== null && of > 0 && value > 0 && (
          <span className="ml-1 text-xs text-ink-3">{format.number(value / of, { style: 'percent' })}</span>
        )}
      </dd>
    </div>
  );
}

function Breakdown({ title, rows }: { title: string; rows: Statistics['rungs'] }) {
  if (rows.length === 0) return null;
  return (
    <p className="mt-2 text-xs text-ink-2 [overflow-wrap:anywhere]">
      {title}:{' '}
      {rows.map(({ name, count }, index) => (
        <span key={name}>
          {index > 0 && ' · '}
          <span className="font-mono">{name}</span> {count}
        </span>
      ))}
    </p>
  );
}

/** Models that are gone keep the name they were called by. */
function nameOf(modelId: string, models: readonly ModelSummary[]): string {
  const model = models.find(({ id }) => id === modelId);
  return model ? `${model.name} · ${model.provider}` : modelId;
}
