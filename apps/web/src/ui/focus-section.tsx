import type { ComponentProps } from 'react';
import { cn } from './class-names.ts';

/** A part that takes focus although it is no control: it scrolls by keyboard, or has keys of its own. */
export function FocusSection({ className, ...props }: ComponentProps<'section'> & { 'aria-label': string }) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus neither scrolling nor keys would reach it
  return <section tabIndex={0} className={cn('focus-visible:-outline-offset-2', className)} {...props} />;
}
