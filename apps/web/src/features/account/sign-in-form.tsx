'use client';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { authClient } from './auth-client.ts';

export function SignInForm() {
  const t = useTranslations('account');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(null);
    try {
      const answer = await authClient.signIn.email({ email: text(form, 'email'), password: text(form, 'password') });
      // A full load, so that every layout runs anew with the cookie.
      if (!answer.error) return location.assign('/');
      setError(answer.error.status === 401 ? t('wrongPassword') : (answer.error.message ?? t('unreachable')));
    } catch {
      setError(t('unreachable'));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field label={t('email')}>
        {(ids) => <Input {...ids} name="email" type="email" autoComplete="username" required autoFocus />}
      </Field>
      <Field label={t('password')}>
        {(ids) => <Input {...ids} name="password" type="password" autoComplete="current-password" required />}
      </Field>
      {error && (
        <Callout tone="error" role="alert">
          {error}
        </Callout>
      )}
      <Button type="submit" variant="primary" size="lg" disabled={busy} className="mt-1">
        {busy && <Spinner />}
        {t('signIn')}
      </Button>
    </form>
  );
}

export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
