import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { SystemInfoView } from '../../../../features/system/system-info.tsx';
import { api, requireMe } from '../../../../trpc/server.ts';

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await getTranslations('shell'))('system') });

export default async function SystemPage() {
  await requireMe();
  return <SystemInfoView info={await api().system.info.query()} />;
}
