'use client';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { createBrowserClient, useTRPCClient } from '../../trpc/client.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import { text } from './sign-in-form.tsx';

/** Owner and organization, then straight into a first session. */
export function SetupForm({ token }: { token: string }) {
  const errorText = useErrorText();
  const t = useTranslations('account');
  const api = useTRPCClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(null);
    try {
      await api.setup.claim.mutate({
        token,
        name: text(form, 'name'),
        email: text(form, 'email'),
        password: text(form, 'password'),
        organizationName: text(form, 'organizationName'),
      });
    } catch (cause) {
      setError(errorText(cause));
      setBusy(false);
      return;
    }
    location.assign(await firstSession());
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label={t('organization')} hint={t('organizationHint')}>
        {(ids) => (
          <Input {...ids} name="organizationName" autoComplete="organization" required maxLength={100} autoFocus />
        )}
      </Field>
      <Field label={t('name')}>
        {(ids) => <Input {...ids} name="name" autoComplete="name" required maxLength={100} />}
      </Field>
      <Field label={t('email')}>
        {(ids) => <Input {...ids} name="email" type="email" autoComplete="username" required />}
      </Field>
      <Field label={t('password')} hint={t('passwordHint')}>
        {(ids) => (
          <Input
            {...ids}
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={10}
            maxLength={128}
          />
        )}
      </Field>
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      <Button type="submit" variant="primary" size="lg" disabled={busy} className="mt-1">
        {busy && <Spinner />}
        {t('finishSetup')}
      </Button>
    </form>
  );
}

/** The account exists by now; a session that could not be made is made from the list instead. */
async function firstSession(): Promise<string> {
  try {
    const me = await createBrowserClient(null).me.query();
    if (!me) return '/sign-in';
    const client = createBrowserClient(me.csrfToken);
    const models = await client.models.list.query();
    const tour = models.find((model) => model.kind === 'tour');
    const modelId = models.find((model) => model.isDefault && !model.offline)?.id ?? tour?.id;
    const { id } = await client.sessions.create.mutate(modelId ? { modelId } : {});
    return `/s/${id}`;
  } catch (error) {
    console.warn('The first session could not be made.', error);
    return '/';
  }
}
