import type { ReactNode } from 'react';
import { Logo } from '../../ui/logo.tsx';

/** The door: one column, the mark above it, nothing else. */
export function EntryFrame({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-[400px] flex-col justify-center px-6 py-12">
      <div className="mb-8 flex items-center gap-2.5">
        <Logo size={28} />
        <span className="text-lg font-semibold tracking-tight">Oneslot</span>
      </div>
      <h1 className="text-xl font-semibold">{title}</h1>
      <p className="mt-1.5 mb-7 text-ink-2">{text}</p>
      {children}
    </main>
  );
}
