'use client';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import { Toaster } from 'sonner';
import type { Me } from '../../trpc/types.ts';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { Logo } from '../../ui/logo.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { ConnectionNote } from '../live/connection-note.tsx';
import { LiveProvider } from '../live/live-provider.tsx';
import { CommandPalette } from './command-palette.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { MenuButton, MenuContext } from './menu-context.tsx';
import { Sidebar } from './sidebar.tsx';
import { useHotkeys } from './use-hotkeys.ts';
import { useStoredFlag } from './use-stored-flag.ts';

export function AppShell({ me, children }: { me: Me; children: ReactNode }) {
  const t = useTranslations('shell');
  return (
    <LiveProvider>
      <TooltipProvider delayDuration={350}>
        <a
          href="#main"
          className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          {t('skip')}
        </a>
        <Frame me={me}>{children}</Frame>
        <ConnectionNote />
        <Toaster position="bottom-right" toastOptions={{ unstyled: true, classNames: toastClasses }} />
      </TooltipProvider>
    </LiveProvider>
  );
}

const toastClasses = {
  toast:
    'flex w-full items-start gap-2.5 rounded-lg border border-line-strong bg-surface px-3.5 py-3 text-sm text-ink shadow-float',
  error: 'border-bad',
  description: 'text-ink-2',
};

function Frame({ me, children }: { me: Me; children: ReactNode }) {
  const [open, setOpen] = useStoredFlag('sidebar', true);
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const inSession = usePathname().startsWith('/s/');
  useHotkeys({
    'mod+k': () => setPalette((now) => !now),
    'mod+b': () => setOpen(!open),
    '?': () => setHelp(true),
  });
  const sidebar = <Sidebar me={me} onSearch={() => setPalette(true)} />;
  return (
    <MenuContext.Provider value={() => setDrawer(true)}>
      <div className="flex h-dvh flex-col overflow-hidden md:flex-row">
        {!inSession && <PhoneBar />}
        {open && <aside className="hidden w-60 shrink-0 border-r border-line md:block">{sidebar}</aside>}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <main id="main" tabIndex={0} className="min-h-0 min-w-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2">
          {children}
        </main>
        <Drawer open={drawer} onOpenChange={setDrawer}>
          {sidebar}
        </Drawer>
        <CommandPalette
          open={palette}
          onOpenChange={setPalette}
          onHelp={() => setHelp(true)}
          onSidebar={() => setOpen(!open)}
        />
        <HelpDialog open={help} onOpenChange={setHelp} />
      </div>
    </MenuContext.Provider>
  );
}

function PhoneBar() {
  return (
    <header className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line px-4 md:hidden">
      <MenuButton />
      <Logo size={20} />
      <span className="font-semibold tracking-tight">Oneslot</span>
    </header>
  );
}

function Drawer({
  open,
  onOpenChange,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}) {
  const t = useTranslations('shell');
  const ui = useTranslations('ui');
  const path = usePathname();
  // A page that was chosen in the drawer is what the person wants to see next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the trigger
  useEffect(() => onOpenChange(false), [path]);
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent side="left" title={t('menu')} closeLabel={ui('close')} hideTitle>
        {children}
      </DialogContent>
    </Dialog>
  );
}
