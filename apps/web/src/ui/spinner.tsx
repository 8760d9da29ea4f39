import { cn } from './class-names.ts';

/** Three quarters of a ring; still when motion is not wanted, so always beside words. */
export function Spinner({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-block size-3.5 animate-spin rounded-full border-[1.5px] border-current border-r-transparent',
        className,
      )}
    />
  );
}
