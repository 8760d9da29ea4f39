'use client';
import { ChevronDown, Settings2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ModelSummary } from '../../trpc/types.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuChoice, MenuContent, MenuItem, MenuRadioGroup, MenuSeparator, MenuTrigger } from '../../ui/menu.tsx';
import { chosenModel } from './chosen-model.ts';

type PickerProps = {
  models: readonly ModelSummary[];
  modelId: string | null;
  onChange: (modelId: string) => void;
  disabled?: boolean;
};

export function ModelPicker({ models, modelId, onChange, disabled }: PickerProps) {
  const t = useTranslations('models');
  const current = chosenModel(models, modelId);
  const name = current?.name ?? t(modelId === null ? 'none' : 'gone');
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button
          variant="ghost"
          size="sm"
          className="max-w-44"
          disabled={(disabled ?? false) || models.length === 0}
          aria-label={t('pick', { model: name })}
        >
          <span className={current ? 'truncate' : 'truncate text-bad'}>{name}</span>
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
