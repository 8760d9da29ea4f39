import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ApprovalInbox } from '../../../features/approvals/approval-inbox.tsx';
import { requireMe } from '../../../trpc/server.ts';

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations('shell'))('approvals'),
});

export default async function ApprovalsPage() {
  await requireMe();
  return <ApprovalInbox />;
}
