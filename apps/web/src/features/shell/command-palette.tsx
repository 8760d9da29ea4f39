'use client';
import { Command } from 'cmdk';
import { Boxes, Cpu, HelpCircle, Inbox, List, MoonStar, PanelLeft, Plus, ServerCog, SunMedium } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { setTheme } from '../../ui/theme.ts';
import { useLive } from '../live/live-provider.tsx';
import { StatusDot } from '../sessions/status-dot.tsx';

type PaletteProps = { open: boolean; onOpenChange: (open: boolean) => void; onHelp: () => void; onSidebar: () => void };

export function CommandPalette({ open, onOpenChange, onHelp, onSidebar }: PaletteProps) {
  const t = useTranslations('palette');
  const ui = useTranslations('ui');
  const shell = useTranslations('shell');
  const router = useRouter();
  const { snapshot } = useLive();
  const act = (action: () => void) => () => {
    onOpenChange(false);
    action();
  };
  const go = (href: string) => act(() => router.push(href));
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t('title')} closeLabel={ui('close')} hideTitle>
        <Command label={t('title')} className="flex min-h-0 flex-col">
          <Command.Input
            placeholder={t('placeholder')}
            className="h-12 border-b border-line bg-transparent px-4 text-md outline-none placeholder:text-ink-3"
          />
          <Command.List className="min-h-0 overflow-y-auto p-1.5 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-3">
            <Command.Empty className="px-3 py-8 text-center text-sm text-ink-2">{t('nothing')}</Command.Empty>
            <Command.Group heading={t('actions')}>
              <Row icon={<Plus />} onSelect={go('/?new')}>
                {shell('newSession')}
              </Row>
              <Row icon={<List />} onSelect={go('/')}>
                {shell('sessions')}
              </Row>
              <Row icon={<Inbox />} onSelect={go('/approvals')}>
                {shell('approvals')}
              </Row>
              <Row icon={<Boxes />} onSelect={go('/tools')}>
                {shell('tools')}
              </Row>
              <Row icon={<Cpu />} onSelect={go('/settings/models')}>
                {shell('models')}
              </Row>
              <Row icon={<ServerCog />} onSelect={go('/settings/system')}>
                {shell('system')}
              </Row>
            </Command.Group>
            {snapshot && snapshot.sessions.length > 0 && (
              <Command.Group heading={shell('recent')}>
                {snapshot.sessions.slice(0, 40).map((session) => (
                  <Row
                    key={session.id}
                    value={`${session.title} ${session.id}`}
                    icon={<StatusDot status={session.status} approvals={session.pendingApprovals} />}
                    onSelect={go(`/s/${session.id}`)}
                  >
                    {session.title || shell('untitled')}
                  </Row>
                ))}
              </Command.Group>
            )}
            <Command.Group heading={t('view')}>
              <Row icon={<SunMedium />} onSelect={act(() => setTheme('light'))}>
                {t('light')}
              </Row>
              <Row icon={<MoonStar />} onSelect={act(() => setTheme('dark'))}>
                {t('dark')}
              </Row>
              <Row icon={<PanelLeft />} onSelect={act(onSidebar)}>
                {t('sidebar')}
              </Row>
              <Row icon={<HelpCircle />} onSelect={act(onHelp)}>
                {t('help')}
              </Row>
            </Command.Group>
          </Command.List>
        </Command>
      </DialogContent>
    </Dialog>
  );
}

function Row({
  icon,
  children,
  onSelect,
  value,
}: {
  icon: ReactNode;
  children: ReactNode;
  onSelect: () => void;
  value?: string;
}) {
  return (
    <Command.Item
      {...(value === undefined ? {} : { value })}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-3 rounded-md px-2.5 text-sm text-ink data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:text-ink-3"
    >
      <span className="flex w-4 justify-center">{icon}</span>
      <span className="truncate">{children}</span>
    </Command.Item>
  );
}
