import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export function EmptyState({
  icon: Icon,
  level: Heading = 'h2',
  title,
  text,
  children,
}: {
  icon: LucideIcon;
  title: string;
  level?: 'h1' | 'h2';
  text: string;
  children?: ReactNode;
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-2 px-6 py-14 text-center">
      <span className="mb-1 grid size-10 place-items-center rounded-lg border border-line bg-surface text-ink-3">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <Heading className="text-md font-semibold">{title}</Heading>
      <p className="text-sm text-ink-2">{text}</p>
      {children && <div className="mt-3 flex flex-wrap justify-center gap-2">{children}</div>}
    </div>
  );
}
