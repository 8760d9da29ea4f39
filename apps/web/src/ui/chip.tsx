import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from './class-names.ts';

const styles = cva(
  'inline-flex h-5 shrink-0 items-center gap-1 rounded-sm px-1.5 text-2xs font-medium whitespace-nowrap [&_svg]:size-3',
  {
    variants: {
      tone: {
        neutral: 'bg-sunken text-ink-2',
        outline: 'border border-line text-ink-2',
        accent: 'bg-accent-soft text-accent',
        signal: 'bg-signal-soft text-signal',
        ok: 'bg-ok-soft text-ok',
        bad: 'bg-bad-soft text-bad',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
);

export type ChipTone = NonNullable<VariantProps<typeof styles>['tone']>;

export function Chip({ className, tone, ...props }: ComponentProps<'span'> & { tone?: ChipTone }) {
  return <span className={cn(styles({ tone }), className)} {...props} />;
}
