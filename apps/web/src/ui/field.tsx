'use client';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from './class-names.ts';

const box =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 disabled:opacity-55 aria-invalid:border-bad';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input className={cn(box, 'h-9', className)} {...props} />;
}

export function TextArea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea className={cn(box, 'min-h-20 py-2', className)} {...props} />;
}

type FieldProps = {
  label: string;
  hint?: string;
  error?: string | null;
  children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode;
};

/** Label, control, and below it the hint or what is wrong. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const note = `${id}-note`;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': note, 'aria-invalid': Boolean(error) })}
      <p id={note} className={cn('text-xs', error ? 'text-bad' : 'text-ink-3', !error && !hint && 'sr-only')}>
        {error ?? hint ?? ''}
      </p>
    </div>
  );
}
