'use client';
import { LogOut, MonitorSmartphone, MoonStar, SunMedium } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { toast } from 'sonner';
import type { Me } from '../../trpc/types.ts';
import {
  Menu,
  MenuChoice,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuSeparator,
  MenuTrigger,
} from '../../ui/menu.tsx';
import { readTheme, setTheme, type Theme } from '../../ui/theme.ts';

const themes = [
  { value: 'light', icon: SunMedium },
  { value: 'dark', icon: MoonStar },
  { value: 'system', icon: MonitorSmartphone },
] as const;

export function UserMenu({ me }: { me: Me }) {
  const t = useTranslations('account');
  const [theme, choose] = useState<Theme>('system');
  useEffect(() => choose(readTheme()), []);
  const change = (value: string) => {
    const next = themes.find((one) => one.value === value)?.value ?? 'system';
    choose(next);
    setTheme(next);
  };
  return (
    <Menu>
      <MenuTrigger className="flex items-center gap-2.5 rounded-md px-1.5 py-1.5 text-left hover:bg-hover data-[state=open]:bg-hover">
        <span className="sr-only">{t('menu')}: </span>
        <span
          aria-hidden="true"
          className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
        >
          {initials(me.user.name)}
        </span>
        <span className="min-w-0 leading-tight">
          <span className="block truncate text-sm font-medium">{me.user.name}</span>
          <span className="block truncate text-xs text-ink-3">{t(`role.${me.role}`)}</span>
        </span>
      </MenuTrigger>
      <MenuContent align="start" className="w-56">
        <MenuLabel>{me.user.email}</MenuLabel>
        <MenuSeparator />
        <MenuRadioGroup value={theme} onValueChange={change}>
          {themes.map(({ value }) => (
            <MenuChoice key={value} value={value} title={t(`theme.${value}`)} />
          ))}
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuItem onSelect={() => signOut(t('signOutFailed'))}>
          <LogOut className="text-ink-3" />
          {t('signOut')}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}

async function signOut(failed: string): Promise<void> {
  const { error } = await authClientOut();
  if (error) toast.error(failed, { description: error.message ?? '' });
  else location.assign('/sign-in');
}

async function authClientOut() {
  const { authClient } = await import('./auth-client.ts');
  return authClient.signOut();
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return words
    .slice(0, 2)
    .map((word) => word.at(0)?.toUpperCase() ?? '')
    .join('');
}
