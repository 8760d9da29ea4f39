'use client';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { cn } from './class-names.ts';

export const Dialog = Radix.Root;
export const DialogTrigger = Radix.Trigger;

type ContentProps = {
  title: string;
  description?: string;
  closeLabel: string;
  side?: 'center' | 'left' | 'right';
  className?: string;
  hideTitle?: boolean;
  children: ReactNode;
};

const sides = {
  center:
    'top-[8vh] left-1/2 max-h-[84dvh] w-[min(92vw,560px)] -translate-x-1/2 rounded-lg border border-line-strong animate-rise',
  left: 'inset-y-0 left-0 w-[min(86vw,300px)] border-r border-line-strong',
  right: 'inset-y-0 right-0 w-[min(96vw,760px)] border-l border-line-strong',
};

export function DialogContent({
  title,
  description,
  closeLabel,
  side = 'center',
  className,
  hideTitle,
  children,
}: ContentProps) {
  return (
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-40 bg-[#0b0d0d]/45" />
      <Radix.Content
        className={cn(
          'fixed z-50 flex flex-col bg-surface text-ink shadow-float focus:outline-none',
          sides[side],
          className,
        )}
        {...(description ? {} : { 'aria-describedby': undefined })}
      >
        <div className={cn('flex items-start gap-3 border-b border-line px-4 py-3', hideTitle && 'sr-only')}>
          <div className="min-w-0 flex-1">
            <Radix.Title className="text-base font-semibold break-words">{title}</Radix.Title>
            {description && <Radix.Description className="text-sm text-ink-2">{description}</Radix.Description>}
          </div>
          <Radix.Close asChild>
            <Button variant="ghost" size="icon-sm" aria-label={closeLabel}>
              <X />
            </Button>
          </Radix.Close>
        </div>
        {children}
      </Radix.Content>
    </Radix.Portal>
  );
}
