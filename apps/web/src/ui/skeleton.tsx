import { cn } from './class-names.ts';

export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cn('h-4 rounded-sm bg-hover animate-breathe', className)} />;
}
