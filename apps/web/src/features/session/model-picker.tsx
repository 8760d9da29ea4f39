'use client';
import { ChevronDown, Settings2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ModelSummary } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuChoice, MenuContent, MenuItem, MenuRadioGroup, MenuSeparator, MenuTrigger } from '../../ui/menu.tsx';

type PickerProps = {
  models: readonly ModelSummary[];
  modelId: string | null;
  onChange: (modelId: string) => void;
  disabled?: boolean;
};

export function ModelPicker({ models, modelId, onChange, disabled }: PickerProps) {
  const t = useTranslations('models');
  const current = chosenModel(models, modelId);
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button
          variant="ghost"
          size="sm"
          className="max-w-44"
          disabled={(disabled ?? false) || models.length === 0}
          aria-label={t('pick', { model: current?.name ?? t('none') })}
        >
          <span className="truncate">{current?.name ?? t('none')}</span>
          <ChevronDown className="text-ink-3" />
        </Button>
      </MenuTrigger>
      <MenuContent align="start" className="w-80">
        <MenuRadioGroup value={current?.id ?? ''} onValueChange={onChange}>
          {models.map((model) => (
            <MenuChoice
              key={model.id}
              value={model.id}
              title={model.name}
              detail={model.offline ? t(`offline.${model.kind === 'tour' ? 'tour' : 'manual'}`) : model.provider}
            />
          ))}
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuItem asChild>
          <Link href="/settings/models">
            <Settings2 className="text-ink-3" />
            {t('manage')}
          </Link>
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}

/** The session's own choice, else what the runner uses without one. */
export function chosenModel(models: readonly ModelSummary[], modelId: string | null): ModelSummary | undefined {
  return models.find((model) => model.id === modelId) ?? models.find((model) => model.isDefault);
}
