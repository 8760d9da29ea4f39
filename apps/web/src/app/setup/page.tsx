import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { EntryFrame } from '../../features/account/entry-frame.tsx';
import { SetupForm } from '../../features/account/setup-form.tsx';
import { ApiProvider } from '../../trpc/provider.tsx';
import { api } from '../../trpc/server.ts';

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await getTranslations('account'))('setup') });

export default async function SetupPage({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  if (!(await api().setup.status.query()).needed) redirect('/');
  const t = await getTranslations('account');
  const { token } = await searchParams;
  return (
    <EntryFrame title={t('setupTitle')} text={typeof token === 'string' ? t('setupText') : t('setupNoToken')}>
      {typeof token === 'string' && (
        <ApiProvider csrfToken={null}>
          <SetupForm token={token} />
        </ApiProvider>
      )}
    </EntryFrame>
  );
}
