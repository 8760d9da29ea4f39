'use client';
import { Menu as MenuIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { createContext, useContext } from 'react';
import { Button } from '../../ui/button.tsx';

export const MenuContext = createContext<(() => void) | null>(null);

/** Opens the drawer on narrow screens; stands in whatever bar is at the top of the page. */
export function MenuButton() {
  const t = useTranslations('shell');
  const open = useContext(MenuContext);
  if (!open) return null;
  return (
    <Button variant="ghost" size="icon" aria-label={t('openMenu')} onClick={open} className="-ml-1.5 md:hidden">
      <MenuIcon />
    </Button>
  );
}
