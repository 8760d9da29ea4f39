import type { ReactNode } from 'react';

/** Head of a page that is a document: title, one sentence, actions at the end. */
export function PageHeader({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="max-w-2xl">
        <h1 className="text-xl font-semibold">{title}</h1>
        {text && <p className="mt-1 text-base text-ink-2">{text}</p>}
      </div>
      {children && <div className="flex gap-2">{children}</div>}
    </header>
  );
}
