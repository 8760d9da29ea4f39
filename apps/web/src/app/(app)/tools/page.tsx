import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ToolList } from '../../../features/tools/tool-list.tsx';
import { api, requireMe } from '../../../trpc/server.ts';

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await getTranslations('shell'))('tools') });

export default async function ToolsPage() {
  await requireMe();
  return <ToolList tools={await api().tools.list.query()} />;
}
