import { Compass } from 'lucide-react';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** An address that leads nowhere; foreign and unknown things look the same. */
export async function NothingHere() {
  const t = await getTranslations('errors');
  return (
    <EmptyState icon={Compass} level="h1" title={t('notFound')} text={t('notFoundText')}>
      <Button asChild>
        <Link href="/">{t('home')}</Link>
      </Button>
    </EmptyState>
  );
}
