import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ModelSettings } from '../../../../features/models/model-settings.tsx';
import { api, requireMe } from '../../../../trpc/server.ts';

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await getTranslations('shell'))('models') });

export default async function ModelsPage() {
  const me = await requireMe();
  return <ModelSettings initial={await api().models.list.query()} role={me.role} />;
}
