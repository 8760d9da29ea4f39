'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTRPC, useTRPCClient } from '../../trpc/client.ts';
import type { ModelSummary } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { groupProviders, type Provider } from './group-providers.ts';

/** What administrators added themselves, each with a way to take it back. */
export function ProviderList({ models }: { models: readonly ModelSummary[] }) {
  const t = useTranslations('models');
  const [asking, setAsking] = useState<Provider | null>(null);
  const providers = groupProviders(models);
  if (providers.length === 0) return null;
  return (
    <section aria-labelledby="providers" className="mb-10">
      <h2 id="providers" className="mb-3 text-md font-semibold">
        {t('providers')}
      </h2>
      <ul className="surface-card divide-y divide-line overflow-hidden">
        {providers.map((provider) => (
          <li key={provider.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{provider.name}</p>
              <p className="font-mono text-xs text-ink-2 [overflow-wrap:anywhere]">{provider.models.join(', ')}</p>
            </div>
            <Button
              size="sm"
              aria-label={t('removeProvider', { name: provider.name })}
              onClick={() => setAsking(provider)}
            >
              {t('remove')}
            </Button>
          </li>
        ))}
      </ul>
      {asking && <RemoveDialog provider={asking} onClose={() => setAsking(null)} />}
    </section>
  );
}

function RemoveDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const errorText = useErrorText();
  const t = useTranslations('models');
  const ui = useTranslations('ui');
  const api = useTRPCClient();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.models.removeProvider.mutate({ providerId: provider.id }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: trpc.models.list.pathKey() });
      toast.success(t('removed', { name: provider.name }));
    },
    onError: (error) => toast.error(t('failed'), { description: errorText(error) }),
    onSettled: onClose,
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t('removeProvider', { name: provider.name })}
        description={t(provider.hasDefault ? 'removeDefaultText' : 'removeText', {
          models: provider.models.join(', '),
        })}
        closeLabel={ui('close')}
        className="sm:w-[480px]"
      >
        <div className="flex justify-end gap-2 p-4">
          <Button onClick={onClose}>{ui('cancel')}</Button>
          <Button variant="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {t('remove')}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
