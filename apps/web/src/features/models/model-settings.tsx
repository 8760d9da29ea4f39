'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTRPC, useTRPCClient } from '../../trpc/client.ts';
import type { Me, ModelSummary, TestPhase } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Chip } from '../../ui/chip.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { CheapModelChoice } from './cheap-model-choice.tsx';
import { ModelStatistics } from './model-statistics.tsx';
import { ProviderForm } from './provider-form.tsx';
import { ProviderList } from './provider-list.tsx';
import { TestPhases } from './test-phases.tsx';

/** Which models there are, which one answers by default, and a way to add more. */
export function ModelSettings({ initial, role }: { initial: ModelSummary[]; role: Me['role'] }) {
  const t = useTranslations('models');
  const trpc = useTRPC();
  const models = useQuery(trpc.models.list.queryOptions(undefined, { initialData: initial })).data;
  const admin = role === 'owner' || role === 'admin';
  return (
    <div className="mx-auto w-full max-w-[820px] px-4 py-8 sm:px-8">
      <PageHeader title={t('title')} text={t('text')} />
      {!admin && (
        <div className="mb-4">
          <Callout tone="info">{t('adminOnly')}</Callout>
        </div>
      )}
      <ul className="surface-card mb-10 divide-y divide-line overflow-hidden">
        {models.map((model) => (
          <ModelRow key={model.id} model={model} admin={admin} />
        ))}
      </ul>
      {admin && <ProviderList models={models} />}
      {admin && <CheapModelChoice models={models} />}
      {admin && <ProviderForm />}
      {admin && <ModelStatistics models={models} />}
    </div>
  );
}

function ModelRow({ model, admin }: { model: ModelSummary; admin: boolean }) {
  const errorText = useErrorText();
  const t = useTranslations('models');
  const api = useTRPCClient();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [phases, setPhases] = useState<TestPhase[] | null>(null);
  const failed = (error: unknown) => void toast.error(t('failed'), { description: errorText(error) });
  const choose = useMutation({
    mutationFn: () => api.models.setDefault.mutate({ modelId: model.id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: trpc.models.list.pathKey() }),
    onError: failed,
  });
  const test = useMutation({
    mutationFn: () => api.models.test.mutate({ modelId: model.id }),
    onSuccess: (answer) => setPhases(answer.phases),
    onError: failed,
  });
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {model.name}
            {model.isDefault && <Chip tone="accent">{t('default')}</Chip>}
            {model.offline && <Chip>{t('offlineChip')}</Chip>}
          </p>
          <p className="text-sm text-ink-2">
            {model.kind === 'tour' || model.kind === 'manual'
              ? t(`offline.${model.kind}`)
              : `${model.provider} · ${t(`kind.${model.kind}`)}`}
          </p>
        </div>
        {admin && !model.offline && (
          <Button size="sm" disabled={test.isPending} onClick={() => test.mutate()}>
            {test.isPending ? t('testing') : t('test')}
          </Button>
        )}
        {admin && !model.isDefault && (
          <Button size="sm" disabled={choose.isPending} onClick={() => choose.mutate()}>
            {t('makeDefault')}
          </Button>
        )}
      </div>
      {phases && <TestPhases phases={phases} />}
    </li>
  );
}
