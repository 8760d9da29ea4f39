'use client';
import { useTranslations } from 'next-intl';
import { Dialog, DialogContent } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';

const rows = [
  { key: 'palette', keys: ['⌘', 'K'] },
  { key: 'sidebar', keys: ['⌘', 'B'] },
  { key: 'panel', keys: ['⌘', '.'] },
  { key: 'compose', keys: ['/'] },
  { key: 'cards', keys: ['j', 'k'] },
  { key: 'toggleCard', keys: ['Enter'] },
  { key: 'approve', keys: ['a', 'Enter'] },
  { key: 'deny', keys: ['d'] },
  { key: 'stop', keys: ['Esc'] },
  { key: 'help', keys: ['?'] },
] as const;

export function HelpDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useTranslations('help');
  const ui = useTranslations('ui');
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent title={t('title')} description={t('text')} closeLabel={ui('close')} className="sm:w-[460px]">
        <dl className="overflow-y-auto px-4 py-2">
          {rows.map(({ key, keys }) => (
            <div
              key={key}
              className="flex items-center justify-between gap-4 border-b border-line py-2 text-sm last:border-0"
            >
              <dt>{t(key)}</dt>
              <dd className="flex items-center gap-1">
                {keys.map((one) => (
                  <Kbd key={one}>{one}</Kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </DialogContent>
    </Dialog>
  );
}
