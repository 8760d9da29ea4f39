import { Compass } from 'lucide-react';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

export default async function NotFound() {
  const t = await getTranslations('errors');
  return (
    <div className="grid min-h-[70dvh] place-items-center">
      <EmptyState icon={Compass} title={t('notFound')} text={t('notFoundText')}>
        <Button asChild>
          <Link href="/">{t('home')}</Link>
        </Button>
      </EmptyState>
    </div>
  );
}
