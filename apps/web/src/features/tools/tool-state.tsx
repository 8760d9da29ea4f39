'use client';
import { Check, CircleDashed, CircleHelp, Hand, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Spinner } from '../../ui/spinner.tsx';
import type { CallState } from '../session/view-model.ts';

const icons = {
  drafted: <CircleDashed className="text-ink-3" />,
  planned: <CircleDashed className="text-ink-3" />,
  waiting: <Hand className="text-signal" />,
  running: <Spinner className="text-accent" />,
  done: <Check className="text-ok" />,
  failed: <X className="text-bad" />,
  unknown: <CircleHelp className="text-signal" />,
} satisfies Record<CallState, unknown>;

export function ToolState({ state }: { state: CallState }) {
  const t = useTranslations('calls');
  return (
    <span className="grid size-5 shrink-0 place-items-center [&_svg]:size-4">
      <span aria-hidden="true" className="grid place-items-center">
        {icons[state]}
      </span>
      <span className="sr-only">{t(`state.${state}`)}</span>
    </span>
  );
}
