import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { EntryFrame } from '../../features/account/entry-frame.tsx';
import { SignInForm } from '../../features/account/sign-in-form.tsx';
import { api, me } from '../../trpc/server.ts';

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations('account'))('signIn'),
});

export default async function SignInPage() {
  if (await me()) redirect('/');
  const t = await getTranslations('account');
  const { needed } = await api().setup.status.query();
  return (
    <EntryFrame title={needed ? t('notSetUp') : t('signInTitle')} text={needed ? t('notSetUpText') : t('signInText')}>
      {!needed && <SignInForm />}
    </EntryFrame>
  );
}
