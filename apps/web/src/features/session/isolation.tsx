'use client';
import { Box, ShieldCheck, ShieldOff, SquareTerminal } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { Chip, type ChipTone } from '../../ui/chip.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { SandboxView } from './view-model.ts';

type Isolation = SandboxView['isolation'];

const looks: Record<Isolation, { icon: typeof Box; tone: ChipTone }> = {
  none: { icon: ShieldOff, tone: 'bad' },
  simulated: { icon: SquareTerminal, tone: 'neutral' },
  namespace: { icon: Box, tone: 'accent' },
  container: { icon: ShieldCheck, tone: 'ok' },
  vm: { icon: ShieldCheck, tone: 'ok' },
};

/** Where the session's commands run, and what that keeps apart. */
export function IsolationBadge({ isolation }: { isolation: Isolation }) {
  const t = useTranslations('isolation');
  const { icon: Icon, tone } = looks[isolation];
  return (
    <Tooltip text={t(`${isolation}.text`)} side="bottom">
      <Link href="/settings/system" aria-label={t('label', { isolation: t(`${isolation}.name`) })}>
        <Chip tone={tone}>
          <Icon aria-hidden="true" />
          {t(`${isolation}.name`)}
        </Chip>
      </Link>
    </Tooltip>
  );
}

export function IsolationBanner({ isolation }: { isolation: Isolation }) {
  const t = useTranslations('isolation');
  if (isolation !== 'none') return null;
  return (
    <div role="alert" className="flex items-center gap-2.5 bg-bad px-4 py-2 text-sm font-medium text-bg">
      <ShieldOff aria-hidden="true" className="size-4 shrink-0" />
      {t('none.banner')}
    </div>
  );
}
