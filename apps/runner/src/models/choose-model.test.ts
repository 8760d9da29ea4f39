import { expect, test } from 'vitest';
import type { ModelRow, ModelStore } from '../store/contract.ts';
import { createModelChooser, type EnvironmentProvider } from './choose-model.ts';

const row: ModelRow = {
  id: 'm1',
  organizationId: 'o',
  name: 'big-model',
  providerId: 'p1',
  providerName: 'My Provider',
  dialect: 'openai-responses',
  baseUrl: 'http://127.0.0.1:9/v1',
  hasKey: true,
};
const environment: EnvironmentProvider = {
  baseUrl: 'http://127.0.0.1:9/v1',
  apiKey: 'sk-environment',
  models: ['gpt'],
};

function chooser(options: { environment?: EnvironmentProvider; standard?: string } = {}) {
  const models: Pick<ModelStore, 'listModels' | 'getModel' | 'readModelKey' | 'defaultModel'> = {
    listModels: async () => [row],
    getModel: async (organizationId, id) => (organizationId === 'o' && id === 'm1' ? row : null),
    readModelKey: async () => 'sk-stored',
    defaultModel: async () => options.standard ?? null,
  };
  return createModelChooser({
    models: models as ModelStore,
    environment: options.environment ?? null,
    clock: { now: () => 0, sleep: async () => {} },
    fetch: () => Promise.reject(new Error('no network in this test')),
  });
}

test('lists offline models first, then those of the environment, then stored ones', async () => {
  const list = await chooser({ environment }).list('o');
  expect(list.map((model) => [model.id, model.kind, model.offline])).toEqual([
    ['tour', 'tour', true],
    ['manual', 'manual', true],
    ['env:gpt', 'openai-chat', false],
    ['m1', 'openai-responses', false],
  ]);
});

test('without a choice: the default, else the environment, else the tour', async () => {
  expect((await chooser({ environment, standard: 'm1' }).open('o', null)).id).toBe('m1');
  expect((await chooser({ environment }).open('o', null)).id).toBe('env:gpt');
  expect((await chooser().open('o', null)).id).toBe('tour');
});

test('a default that was removed falls back, for the list and for whoever asks it alike', async () => {
  const listed = async (options: Parameters<typeof chooser>[0]) =>
    (await chooser(options).list('o')).filter((model) => model.isDefault).map((model) => model.id);
  expect(await listed({ environment, standard: 'm1' })).toEqual(['m1']);
  expect(await listed({ environment, standard: 'removed' })).toEqual(['env:gpt']);
  expect((await chooser({ environment, standard: 'removed' }).open('o', null)).id).toBe('env:gpt');
  expect(await listed({ standard: 'removed' })).toEqual(['tour']);
  expect((await chooser({ standard: 'removed' }).open('o', null)).id).toBe('tour');
});

test('only what people added has a provider to remove', async () => {
  const list = await chooser({ environment }).list('o');
  expect(list.map((model) => model.providerId)).toEqual([null, null, null, 'p1']);
});

test('a model of another organization is one that is not there', async () => {
  await expect(chooser().open('other', 'm1')).rejects.toMatchObject({ code: 'not_found' });
  await expect(chooser().open('o', 'env:gpt')).rejects.toMatchObject({ code: 'not_found' });
});

test('keys of every provider are known to the redactor', async () => {
  expect(await chooser({ environment }).secrets('o')).toEqual([
    { name: 'OPENAI_API_KEY', value: 'sk-environment' },
    { name: 'MY_PROVIDER_API_KEY', value: 'sk-stored' },
  ]);
});

test('a connection test of the tour says what works, one without network says why not', async () => {
  const tour = await chooser().test({ organizationId: 'o', modelId: 'tour' });
  expect(tour.map((phase) => [phase.name, phase.ok])).toEqual([
    ['answer', true],
    ['end', true],
    ['tools', true],
  ]);
  const [failed] = await chooser().test({ organizationId: 'o', modelId: 'm1' });
  expect(failed).toMatchObject({ name: 'answer', ok: false });
});
