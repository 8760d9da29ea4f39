'use client';
import { Info } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ModelSummary } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { chosenModel } from './chosen-model.ts';
import type { SandboxView } from './view-model.ts';

type OpeningProps = {
  models: readonly ModelSummary[];
  modelId: string | null;
  isolation: SandboxView['isolation'];
  onSend: (text: string) => void;
};

/** An empty session: what its model is good for, and a first message to start from. */
export function SessionOpening({ models, modelId, isolation, onSend }: OpeningProps) {
  const t = useTranslations('opening');
  const words = useTranslations('isolation');
  const model = chosenModel(models, modelId);
  const kind = model?.kind === 'tour' || model?.kind === 'manual' ? model.kind : 'model';
  const examples = ['one', 'two', 'three'] as const;
  return (
    <div className="m-auto flex w-full max-w-lg flex-col gap-4 py-10">
      <div>
        <h2 className="text-lg font-semibold">{t(`${kind}.title`)}</h2>
        <p className="mt-1 text-ink-2">{t(`${kind}.text`)}</p>
      </div>
      {kind === 'tour' ? (
        <Button variant="primary" size="lg" className="self-start" onClick={() => onSend(t('tour.message'))}>
          {t('tour.start')}
        </Button>
      ) : (
        <ul className="flex flex-col">
          {examples.map((example) => (
            <li key={example} className="border-t border-line last:border-b">
              <button
                type="button"
                onClick={() => onSend(t(`${kind}.${example}`))}
                className={`w-full px-1 py-2.5 text-left text-sm text-ink-2 hover:bg-hover hover:text-ink ${kind === 'manual' ? 'font-mono text-xs' : ''}`}
              >
                {t(`${kind}.${example}`)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isolation !== 'container' && isolation !== 'vm' && (
        <p className="flex gap-2 text-xs text-ink-3">
          <Info aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          {words(`${isolation}.text`)}
        </p>
      )}
    </div>
  );
}
