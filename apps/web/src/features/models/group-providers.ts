import type { ModelSummary } from '../../trpc/types.ts';

export type Provider = { id: string; name: string; models: string[]; hasDefault: boolean };

/** The providers people added, in the order of the list; what is built in or named by the operator has no id. */
export function groupProviders(models: readonly ModelSummary[]): Provider[] {
  const providers = new Map<string, Provider>();
  for (const { providerId, provider: name, name: model, isDefault } of models) {
    if (providerId === null) continue;
    const provider = providers.get(providerId) ?? { id: providerId, name, models: [], hasDefault: false };
    provider.models.push(model);
    provider.hasDefault ||= isDefault;
    providers.set(providerId, provider);
  }
  return [...providers.values()];
}
