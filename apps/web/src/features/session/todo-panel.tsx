'use client';
import { Ban, Check, ChevronDown, Circle, CircleDot, ListTodo, PauseCircle } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { cn } from '../../ui/class-names.ts';
import { useStoredFlag } from '../shell/use-stored-flag.ts';
import type { TodoItem } from './view-model.ts';

const icons = {
  pending: <Circle className="text-ink-3" />,
  in_progress: <CircleDot className="text-accent" />,
  completed: <Check className="text-ok" />,
  blocked: <PauseCircle className="text-signal" />,
  cancelled: <Ban className="text-ink-3" />,
} satisfies Record<TodoItem['status'], unknown>;

/** The model's own list, folded to where it stands. */
export function TodoPanel({ todos }: { todos: readonly TodoItem[] }) {
  const t = useTranslations('todos');
  const [open, setOpen] = useStoredFlag('todos', false);
  const done = todos.filter((todo) => todo.status === 'completed').length;
  const rest = todos.filter((todo) => todo.status !== 'completed' && todo.status !== 'cancelled');
  const current = todos.find((todo) => todo.status === 'in_progress') ?? rest[0];
  if (todos.length === 0) return null;
  return (
    <section aria-label={t('title')} className="rounded-lg border border-line bg-surface text-sm">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-center gap-2 px-3 py-1.5 text-left"
      >
        <ListTodo aria-hidden="true" className="size-4 text-ink-3" />
        <span className="min-w-0 flex-1 truncate">{open ? t('title') : (current?.content ?? t('allDone'))}</span>
        <span className="text-xs text-ink-3 tabular-nums">{t('progress', { done, total: todos.length })}</span>
        <ChevronDown
          aria-hidden="true"
          className={cn('size-3.5 text-ink-3 transition-transform', !open && 'rotate-180')}
        />
      </button>
      {open && (
        <ol className="max-h-48 overflow-y-auto border-t border-line px-3 py-2">
          {todos.map((todo) => (
            <li key={todo.id} className="flex items-start gap-2 py-0.5">
              <span aria-hidden="true" className="mt-1 [&_svg]:size-3.5">
                {icons[todo.status]}
              </span>
              <span
                className={cn(
                  'min-w-0 [overflow-wrap:anywhere]',
                  (todo.status === 'completed' || todo.status === 'cancelled') && 'text-ink-3 line-through',
                )}
              >
                {todo.content}
                <span className="sr-only"> ({t(`status.${todo.status}`)})</span>
                {todo.note && <span className="block text-xs text-ink-3">{todo.note}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
