import { Check, Minus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SystemInfo } from '../../trpc/types.ts';
import { Callout } from '../../ui/callout.tsx';
import { Chip } from '../../ui/chip.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** Where sessions run, what that keeps apart, and what else this machine could do. */
export function SystemInfoView({ info }: { info: SystemInfo }) {
  const t = useTranslations('system');
  const isolation = useTranslations('isolation');
  const { engine } = info;
  return (
    <div className="mx-auto w-full max-w-[820px] px-4 py-8 sm:px-8">
      <PageHeader title={t('title')} text={t('text')} />
      <Section title={t('engine')}>
        <div className="surface-card p-5">
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="text-lg font-semibold">{engineName(engine.name, t)}</span>
            <Chip tone={engine.isolation === 'none' ? 'bad' : engine.isolation === 'simulated' ? 'neutral' : 'ok'}>
              {isolation(`${engine.isolation}.name`)}
            </Chip>
          </div>
          <p className="mt-2 max-w-xl">{isolation(`${engine.isolation}.text`)}</p>
          <p className="mt-1 text-sm text-ink-2">{engine.reason}</p>
          {engine.isolation === 'none' && (
            <div className="mt-3">
              <Callout tone="error">{isolation('none.banner')}</Callout>
            </div>
          )}
          <EngineFacts engine={engine} />
        </div>
      </Section>
      <Section title={t('others')}>
        <ul className="surface-card divide-y divide-line overflow-hidden">
          {info.engines.map((choice) => (
            <li key={choice.name} className="flex items-start gap-3 px-4 py-3">
              <span aria-hidden="true" className="mt-1 [&_svg]:size-4">
                {choice.available ? <Check className="text-ok" /> : <Minus className="text-ink-3" />}
              </span>
              <div className="min-w-0">
                <p className="font-medium">
                  {engineName(choice.name, t)}{' '}
                  <span className="text-xs font-normal text-ink-3">
                    {choice.name === engine.name ? t('inUse') : choice.available ? t('available') : t('notAvailable')}
                  </span>
                </p>
                <p className="text-sm text-ink-2 [overflow-wrap:anywhere]">{choice.why}</p>
              </div>
            </li>
          ))}
        </ul>
        <p className="mt-2.5 text-sm text-ink-3">{t('choose')}</p>
      </Section>
      <Section title={t('installation')}>
        <dl className="surface-card grid gap-x-8 gap-y-2 px-5 py-4 text-sm sm:grid-cols-2">
          <Fact name={t('version')} value={info.version} />
          <Fact name={t('database')} value={t(`databases.${info.database.kind}`)} />
        </dl>
      </Section>
    </div>
  );
}

const engines = ['docker', 'bubblewrap', 'simulated', 'local-unsafe'] as const;

function engineName(name: string, t: ReturnType<typeof useTranslations<'system'>>): string {
  const known = engines.find((one) => one === name);
  return known ? t(`engines.${known}`) : name;
}

function EngineFacts({ engine }: { engine: SystemInfo['engine'] }) {
  const t = useTranslations('system');
  const hasImage = engine.imageState !== 'none';
  if (!hasImage && engine.capabilities.length === 0) return null;
  return (
    <dl className="mt-4 grid gap-x-8 gap-y-2 border-t border-line pt-4 text-sm sm:grid-cols-2">
      {hasImage && <Fact name={t('image')} value={engine.imageState} />}
      {engine.capabilities.length > 0 && <Fact name={t('capabilities')} value={engine.capabilities.join(', ')} />}
    </dl>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-8">
      <h2 className="mb-2 text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex gap-3">
      <dt className="w-28 shrink-0 text-ink-3">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
    </div>
  );
}
