'use client';
import { Unplug } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** A page that could not be made. The digest leads to the cause in the server's log. */
export function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('errors');
  return (
    <div className="grid min-h-[70dvh] place-items-center" role="alert">
      <EmptyState icon={Unplug} level="h1" title={t('broken')} text={t('brokenText')}>
        <Button variant="primary" onClick={reset}>
          {t('tryAgain')}
        </Button>
        {error.digest && <p className="w-full font-mono text-xs text-ink-3">{t('digest', { digest: error.digest })}</p>}
      </EmptyState>
    </div>
  );
}
