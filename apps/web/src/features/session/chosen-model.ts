import type { ModelSummary } from '../../trpc/types.ts';

/** The session's own choice, null where that was removed; without a choice what the runner uses then. */
export function chosenModel(models: readonly ModelSummary[], modelId: string | null): ModelSummary | null {
  return models.find((model) => (modelId === null ? model.isDefault : model.id === modelId)) ?? null;
}
