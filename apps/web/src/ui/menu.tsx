'use client';
import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './class-names.ts';

/** Not modal: what lies behind stays readable, also for assistive programs. */
export const Menu = (props: ComponentProps<typeof DropdownMenu.Root>) => <DropdownMenu.Root modal={false} {...props} />;
export const MenuTrigger = DropdownMenu.Trigger;
export const MenuRadioGroup = DropdownMenu.RadioGroup;

export function MenuContent({ className, ...props }: ComponentProps<typeof DropdownMenu.Content>) {
  return (
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        sideOffset={6}
        collisionPadding={8}
        className={cn(
          'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto rounded-lg border border-line-strong bg-surface p-1 shadow-float animate-rise',
          className,
        )}
        {...props}
      />
    </DropdownMenu.Portal>
  );
}

const row =
  'flex cursor-pointer items-start gap-2 rounded-md px-2 py-1.5 text-sm outline-none select-none data-disabled:cursor-not-allowed data-disabled:opacity-55 data-highlighted:bg-hover [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0';

export function MenuItem({ className, ...props }: ComponentProps<typeof DropdownMenu.Item>) {
  return <DropdownMenu.Item className={cn(row, className)} {...props} />;
}

export function MenuChoice({
  value,
  title,
  detail,
  disabled,
}: {
  value: string;
  title: ReactNode;
  detail?: ReactNode;
  disabled?: boolean;
}) {
  return (
    <DropdownMenu.RadioItem value={value} disabled={disabled ?? false} className={row}>
      <span className="w-4 shrink-0">
        <DropdownMenu.ItemIndicator>
          <Check className="text-accent" />
        </DropdownMenu.ItemIndicator>
      </span>
      <span className="min-w-0">
        <span className="block font-medium">{title}</span>
        {detail && <span className="block text-xs text-ink-2">{detail}</span>}
      </span>
    </DropdownMenu.RadioItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-xs text-ink-3">{children}</DropdownMenu.Label>;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}
