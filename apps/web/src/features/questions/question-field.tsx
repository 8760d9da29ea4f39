'use client';
import { useTranslations } from 'next-intl';
import { Chip } from '../../ui/chip.tsx';
import { cn } from '../../ui/class-names.ts';
import { Input } from '../../ui/field.tsx';
import type { Question } from '../session/view-model.ts';

export type Draft = { labels: string[]; freeText: string };
type FieldProps = { name: string; question: Question; draft: Draft; onDraft: (draft: Draft) => void };

export function QuestionField({ name, question, draft, onDraft }: FieldProps) {
  const t = useTranslations('questions');
  const toggle = (label: string) => {
    if (!question.multi) return onDraft({ ...draft, labels: [label] });
    const chosen = draft.labels.includes(label);
    onDraft({ ...draft, labels: chosen ? draft.labels.filter((one) => one !== label) : [...draft.labels, label] });
  };
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">
        {question.header !== '' && <span className="mr-2 text-xs font-normal text-ink-3">{question.header}</span>}
        {question.question}
        {question.multi && <span className="ml-2 text-xs font-normal text-ink-3">{t('several')}</span>}
      </legend>
      {question.options.map((option) => {
        const chosen = draft.labels.includes(option.label);
        return (
          <label
            key={option.label}
            className={cn(
              'flex cursor-pointer items-start gap-2.5 rounded-md border px-3 py-2 text-sm hover:bg-hover/60',
              chosen ? 'border-accent bg-accent-soft' : 'border-line',
            )}
          >
            <input
              type={question.multi ? 'checkbox' : 'radio'}
              name={name}
              checked={chosen}
              onChange={() => toggle(option.label)}
              className="mt-1 accent-accent"
            />
            <span className="min-w-0">
              <span className="font-medium">{option.label}</span>
              {option.recommended && (
                <Chip tone="accent" className="ml-2">
                  {t('recommended')}
                </Chip>
              )}
              {option.description && <span className="block text-xs text-ink-2">{option.description}</span>}
            </span>
          </label>
        );
      })}
      {question.freeText && (
        <Input
          value={draft.freeText}
          aria-label={t('freeTextFor', { question: question.question })}
          placeholder={question.options.length > 0 ? t('orWrite') : t('write')}
          onChange={(event) => onDraft({ ...draft, freeText: event.target.value })}
        />
      )}
    </fieldset>
  );
}
