'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { toast } from 'sonner';
import { useTRPC, useTRPCClient } from '../../trpc/client.ts';
import type { ModelSummary } from '../../trpc/types.ts';
import { useErrorText } from '../live/use-error-text.ts';

/** Which model puts long outputs of foreign tools into few words; the output itself stays in store. */
export function CheapModelChoice({ models }: { models: readonly ModelSummary[] }) {
  const t = useTranslations('models.cheap');
  const errorText = useErrorText();
  const api = useTRPCClient();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const chosen = useQuery(trpc.models.cheap.queryOptions());
  const choose = useMutation({
    mutationFn: (modelId: string | null) => api.models.setCheap.mutate({ modelId }),
    onSuccess: () => toast.success(t('saved')),
    onError: (error) => void toast.error(t('failed'), { description: errorText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: trpc.models.cheap.pathKey() }),
  });
  const usable = models.filter((model) => !model.offline);
  const value = (choose.isPending ? choose.variables : chosen.data?.modelId) ?? '';
  return (
    <section aria-labelledby="cheap-model" className="mb-10">
      <h2 id="cheap-model" className="text-md font-semibold">
        {t('title')}
      </h2>
      <p id="cheap-model-text" className="mb-3 text-sm text-ink-2">
        {t('text')}
      </p>
      <select
        aria-labelledby="cheap-model"
        aria-describedby="cheap-model-text"
        value={value}
        disabled={!chosen.isSuccess || choose.isPending}
        onChange={(event) => choose.mutate(event.target.value === '' ? null : event.target.value)}
        className="h-9 w-full max-w-sm rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink disabled:opacity-55"
      >
        <option value="">{t('none')}</option>
        {usable.map((model) => (
          <option key={model.id} value={model.id}>
            {model.name} · {model.provider}
          </option>
        ))}
      </select>
    </section>
  );
}
