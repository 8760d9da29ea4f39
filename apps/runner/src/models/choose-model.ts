import { type Clock, HostError, type ModelClient } from '@oneslot/core';
import type { ModelSummary, ModelTarget, TestPhase } from '../services.ts';
import type { Dialect, ModelRow, ModelStore } from '../store/contract.ts';
import { chooseDialect } from './choose-dialect.ts';
import type { Fetch } from './keep-alive-fetch.ts';
import { createManual } from './manual.ts';
import { createOpenAiChat, type OpenAiOptions } from './openai-chat.ts';
import { createOpenAiResponses } from './openai-responses.ts';
import { testModel } from './test-model.ts';
import { createTour } from './tour.ts';

/** A provider the operator named by environment: listed beside the stored ones, its key never written down. */
export type EnvironmentProvider = { baseUrl: string; apiKey: string | null; models: readonly string[] };
export type ModelChooserDeps = {
  models: ModelStore;
  environment: EnvironmentProvider | null;
  clock: Clock;
  fetch: Fetch;
};

export type ModelChooser = {
  /** The default is the one an administrator chose while it is there, else the environment's first, else the tour. */
  list(organizationId: string): Promise<ModelSummary[]>;
  test(target: ModelTarget): Promise<TestPhase[]>;
  /** Null chooses the default of the list. @throws HostError not_found */
  open(organizationId: string, modelId: string | null): Promise<ModelClient>;
  /**
   * Keys of every provider of an organization. They are masked in results, progress and planned calls. Not masked is
   * what must stay exact: what the model itself wrote, and the request a person approves byte by byte.
   */
  secrets(organizationId: string): Promise<{ name: string; value: string }[]>;
};

const environmentPrefix = 'env:';
type Listed = Omit<ModelSummary, 'isDefault'>;
const builtIn = { provider: 'built in', providerId: null, offline: true } as const;
const offlineModels: readonly Listed[] = [
  { ...builtIn, id: 'tour', name: 'Tour', kind: 'tour' },
  { ...builtIn, id: 'manual', name: 'Manual', kind: 'manual' },
];

export function createModelChooser(deps: ModelChooserDeps): ModelChooser {
  const { environment, models } = deps;
  const client = (target: Omit<OpenAiOptions, 'dialect'>, protocol: Dialect) => {
    const options = { ...target, dialect: chooseDialect({ name: target.model, baseUrl: target.baseUrl }) };
    return protocol === 'openai-responses' ? createOpenAiResponses(options, deps) : createOpenAiChat(options, deps);
  };

  async function list(organizationId: string): Promise<ModelSummary[]> {
    const [rows, chosen] = await Promise.all([models.listModels(organizationId), models.defaultModel(organizationId)]);
    const ownIds = environmentIds(environment);
    const all = [...offlineModels, ...ownIds.map(environmentSummary), ...rows.map(summaryOf)];
    const standard = all.some(({ id }) => id === chosen) ? chosen : (ownIds[0] ?? 'tour');
    return all.map((model) => ({ ...model, isDefault: model.id === standard }));
  }

  async function open(organizationId: string, modelId: string | null): Promise<ModelClient> {
    const id = modelId ?? (await list(organizationId)).find((model) => model.isDefault)?.id ?? 'tour';
    if (id === 'tour') return createTour(deps);
    if (id === 'manual') return createManual(deps);
    const named = environmentIds(environment).includes(id) ? id.slice(environmentPrefix.length) : null;
    if (environment && named !== null) return client({ id, model: named, ...environment }, 'openai-chat');
    const row = await models.getModel(organizationId, id);
    if (!row)
      throw new HostError('not_found', `The model ${id} is not there any more.`, {
        next: 'Choose another model below the message box and send your message again.',
      });
    return client({ id, model: row.name, baseUrl: row.baseUrl, apiKey: await keyOf(models, row) }, row.dialect);
  }

  return {
    open,
    list,
    async test(target) {
      if ('modelId' in target) return testModel(await open(target.organizationId, target.modelId), deps.clock);
      const { baseUrl, apiKey, model, dialect } = target;
      return testModel(client({ id: model, model, baseUrl, apiKey }, dialect), deps.clock);
    },
    async secrets(organizationId) {
      const rows = await models.listModels(organizationId);
      const providers = [...new Map(rows.map((row) => [row.providerId, row])).values()];
      const keys = await Promise.all(
        providers.map(async (row) => ({ name: secretName(row.providerName), value: await keyOf(models, row) })),
      );
      const own = environment?.apiKey ? [{ name: 'OPENAI_API_KEY', value: environment.apiKey }] : [];
      return [...own, ...keys.flatMap(({ name, value }) => (value ? [{ name, value }] : []))];
    },
  };
}

async function keyOf(models: ModelStore, row: ModelRow): Promise<string | null> {
  return row.hasKey ? models.readModelKey(row.organizationId, row.providerId) : null;
}

function environmentIds(environment: EnvironmentProvider | null): string[] {
  return (environment?.models ?? []).map((name) => `${environmentPrefix}${name}`);
}

function environmentSummary(id: string): Listed {
  const name = id.slice(environmentPrefix.length);
  return { id, name, provider: 'environment', providerId: null, kind: 'openai-chat', offline: false };
}

function summaryOf({ id, name, providerName, providerId, dialect }: ModelRow): Listed {
  return { id, name, provider: providerName, providerId, kind: dialect, offline: false };
}

function secretName(provider: string): string {
  return `${provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_API_KEY`;
}
