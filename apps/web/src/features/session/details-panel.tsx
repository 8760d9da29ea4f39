'use client';
import { useFormatter, useTranslations } from 'next-intl';
import { type ReactNode, useMemo } from 'react';
import type { ModelSummary } from '../../trpc/types.ts';
import { formatMs } from '../tools/format-time.ts';
import { chosenModel } from './chosen-model.ts';
import { RequestFacts } from './request-facts.tsx';
import type { SessionFacts } from './use-session.ts';
import type { SessionView } from './view-model.ts';

type DetailsProps = { view: SessionView; facts: SessionFacts; models: readonly ModelSummary[]; sessionId: string };

export function DetailsPanel({ view, facts, models, sessionId }: DetailsProps) {
  const t = useTranslations('details');
  const isolation = useTranslations('isolation');
  const model = chosenModel(models, facts.modelId);
  const { inputTokens, cachedTokens, outputTokens } = view.usage;
  return (
    <div className="flex flex-col gap-6 p-4">
      <Group title={t('usage')}>
        <div className="grid grid-cols-3 gap-px overflow-hidden rounded-md border border-line bg-line">
          <Figure label={t('input')} value={inputTokens} />
          <Figure label={t('cached')} value={cachedTokens} />
          <Figure label={t('output')} value={outputTokens} />
        </div>
      </Group>
      <Group title={t('tools')}>
        <ToolUse view={view} />
        {view.activated.length > 0 && (
          <p className="mt-2 text-xs text-ink-3">{t('activated', { names: view.activated.join(', ') })}</p>
        )}
      </Group>
      <Group title={t('requests')}>
        <RequestFacts requests={view.requests} />
      </Group>
      <Group title={t('session')}>
        <dl className="text-sm">
          <Row name={t('model')} value={model ? `${model.name} · ${model.provider}` : '–'} />
          <Row name={t('engine')} value={`${facts.sandbox.engine} · ${isolation(`${facts.sandbox.isolation}.name`)}`} />
          {facts.sandbox.tookMs !== null && <Row name={t('startup')} value={formatMs(facts.sandbox.tookMs)} />}
          <Row name={t('events')} value={String(view.lastSeq)} />
          <Row name={t('id')} value={sessionId} mono />
        </dl>
        <p className="mt-2 text-xs text-ink-2">{isolation(`${facts.sandbox.isolation}.text`)}</p>
      </Group>
    </div>
  );
}

function ToolUse({ view }: { view: SessionView }) {
  const t = useTranslations('details');
  const counts = useMemo(() => {
    const byTool = new Map<string, { calls: number; failed: number; ms: number }>();
    for (const item of view.items) {
      if (item.kind !== 'call') continue;
      const name = item.tool ?? item.name;
      const before = byTool.get(name) ?? { calls: 0, failed: 0, ms: 0 };
      const failed = item.state === 'failed' ? 1 : 0;
      byTool.set(name, {
        calls: before.calls + 1,
        failed: before.failed + failed,
        ms: before.ms + (item.result?.tookMs ?? 0),
      });
    }
    return [...byTool].sort((a, b) => b[1].calls - a[1].calls);
  }, [view.items]);
  if (counts.length === 0) return <p className="text-sm text-ink-3">{t('noCalls')}</p>;
  return (
    <ul className="text-sm">
      {counts.map(([name, { calls, failed, ms }]) => (
        <li key={name} className="flex items-baseline gap-2 border-b border-line py-1 last:border-0">
          <span className="flex-1 font-mono text-xs">{name}</span>
          {failed > 0 && <span className="text-xs text-bad">{t('failed', { count: failed })}</span>}
          <span className="w-16 text-right text-xs text-ink-3 tabular-nums">{ms > 0 && formatMs(ms)}</span>
          <span className="w-8 text-right tabular-nums">{calls}</span>
        </li>
      ))}
    </ul>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  const format = useFormatter();
  return (
    <div className="bg-surface px-3 py-2">
      <div className="text-md font-semibold tabular-nums">{format.number(value)}</div>
      <div className="text-2xs text-ink-3">{label}</div>
    </div>
  );
}

function Row({ name, value, mono = false }: { name: string; value: string; mono?: boolean }) {
  return (
    <div className="flex gap-3 border-b border-line py-1 last:border-0">
      <dt className="w-24 shrink-0 text-ink-3">{name}</dt>
      <dd className={mono ? 'min-w-0 font-mono text-xs [overflow-wrap:anywhere]' : 'min-w-0 [overflow-wrap:anywhere]'}>
        {value}
      </dd>
    </div>
  );
}
