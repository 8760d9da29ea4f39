'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useRef, useState } from 'react';
import { toast } from 'sonner';
import { useTRPC, useTRPCClient } from '../../trpc/client.ts';
import type { TestPhase } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { TestPhases } from './test-phases.tsx';

type Dialect = 'openai-chat' | 'openai-responses';
const dialects: readonly Dialect[] = ['openai-chat', 'openai-responses'];

/** A provider is tried before it is trusted: the test says at which step it fails. */
export function ProviderForm() {
  const errorText = useErrorText();
  const t = useTranslations('models');
  const form = useRef<HTMLFormElement>(null);
  const [dialect, setDialect] = useState<Dialect>('openai-chat');
  const { test, add, phases } = useProvider(() => form.current?.reset());
  const read = () => {
    const data = new FormData(form.current ?? undefined);
    const value = (name: string) => String(data.get(name) ?? '').trim();
    const models = value('models')
      .split(/[\s,]+/)
      .filter((one) => one !== '');
    const apiKey = value('apiKey');
    return { name: value('name'), baseUrl: value('baseUrl'), models, dialect, ...(apiKey && { apiKey }) };
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(read());
  };
  const tryOut = () => {
    if (form.current?.reportValidity()) test.mutate(read());
  };
  return (
    <form ref={form} onSubmit={submit} aria-labelledby="add-provider">
      <h2 id="add-provider" className="text-md font-semibold">
        {t('addTitle')}
      </h2>
      <p className="mb-4 text-sm text-ink-2">{t('addText')}</p>
      <div className="surface-card grid gap-x-5 gap-y-2.5 p-5 sm:grid-cols-2">
        <Field label={t('name')}>
          {(ids) => <Input {...ids} name="name" required maxLength={100} placeholder="OpenRouter" />}
        </Field>
        <Field label={t('baseUrl')}>
          {(ids) => (
            <Input
              {...ids}
              name="baseUrl"
              type="url"
              required
              placeholder="https://…/v1"
              className="font-mono text-sm"
            />
          )}
        </Field>
        <Field label={t('modelNames')} hint={t('modelNamesHint')}>
          {(ids) => <Input {...ids} name="models" required className="font-mono text-sm" />}
        </Field>
        <Field label={t('apiKey')} hint={t('apiKeyHint')}>
          {(ids) => (
            <Input
              {...ids}
              name="apiKey"
              type="password"
              autoComplete="off"
              maxLength={500}
              className="font-mono text-sm"
            />
          )}
        </Field>
        <fieldset className="flex flex-wrap gap-x-5 gap-y-1 text-sm sm:col-span-2">
          <legend className="mb-1 font-medium">{t('dialect')}</legend>
          {dialects.map((one) => (
            <label key={one} className="flex items-center gap-2">
              <input
                type="radio"
                name="dialect"
                value={one}
                checked={dialect === one}
                onChange={() => setDialect(one)}
                className="accent-accent"
              />
              {t(`kind.${one}`)}
            </label>
          ))}
        </fieldset>
        <div className="flex flex-col gap-2 sm:col-span-2">
          {[test.error, add.error].map(
            (error, index) =>
              error && (
                // biome-ignore lint/suspicious/noArrayIndexKey: the two errors have fixed places
                <Callout key={index} tone="error" role="alert">
                  {errorText(error)}
                </Callout>
              ),
          )}
          {phases && <TestPhases phases={phases} />}
          <div className="mt-1 flex gap-2">
            <Button onClick={tryOut} disabled={test.isPending}>
              {test.isPending && <Spinner />}
              {t('test')}
            </Button>
            <Button type="submit" variant="primary" disabled={add.isPending}>
              {t('add')}
            </Button>
          </div>
        </div>
      </div>
    </form>
  );
}

type Provider = { name: string; baseUrl: string; models: string[]; dialect: Dialect; apiKey?: string };

function useProvider(onAdded: () => void) {
  const t = useTranslations('models');
  const api = useTRPCClient();
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [phases, setPhases] = useState<TestPhase[] | null>(null);
  const test = useMutation({
    mutationFn: ({ baseUrl, models, dialect, apiKey }: Provider) =>
      api.models.test.mutate({ baseUrl, model: models[0] ?? '', dialect, ...(apiKey && { apiKey }) }),
    onSuccess: (answer) => setPhases(answer.phases),
  });
  const add = useMutation({
    mutationFn: (provider: Provider) => api.models.addProvider.mutate(provider),
    onSuccess: async () => {
      onAdded();
      setPhases(null);
      await queries.invalidateQueries({ queryKey: trpc.models.list.pathKey() });
      toast.success(t('added'));
    },
  });
  return { test, add, phases };
}
