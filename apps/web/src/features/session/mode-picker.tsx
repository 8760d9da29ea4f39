'use client';
import { ChevronDown, Eye, Gauge, Hand, Rocket } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { Mode } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuChoice, MenuContent, MenuLabel, MenuRadioGroup, MenuTrigger } from '../../ui/menu.tsx';

const modes = [
  { value: 'plan', icon: Eye },
  { value: 'ask', icon: Hand },
  { value: 'agent', icon: Gauge },
  { value: 'autopilot', icon: Rocket },
] as const satisfies readonly { value: Mode; icon: unknown }[];

/** How much runs without asking; each mode says what it means before it is chosen. */
export function ModePicker({
  mode,
  onChange,
  disabled,
}: {
  mode: Mode;
  onChange: (mode: Mode) => void;
  disabled?: boolean;
}) {
  const t = useTranslations('modes');
  const current = modes.find((one) => one.value === mode) ?? modes[2];
  const choose = (value: string) => {
    const next = modes.find((one) => one.value === value);
    if (next) onChange(next.value);
  };
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button
          variant="ghost"
          size="sm"
          disabled={disabled ?? false}
          aria-label={t('label', { mode: t(`${current.value}.name`) })}
        >
          <current.icon />
          {t(`${current.value}.name`)}
          <ChevronDown className="text-ink-3" />
        </Button>
      </MenuTrigger>
      <MenuContent align="start" className="w-80">
        <MenuLabel>{t('title')}</MenuLabel>
        <MenuRadioGroup value={mode} onValueChange={choose}>
          {modes.map(({ value }) => (
            <MenuChoice key={value} value={value} title={t(`${value}.name`)} detail={t(`${value}.text`)} />
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}
