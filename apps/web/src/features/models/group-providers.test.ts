import { expect, test } from 'vitest';
import type { ModelSummary } from '../../trpc/types.ts';
import { groupProviders } from './group-providers.ts';

const model = (id: string, providerId: string | null, isDefault = false): ModelSummary => ({
  ...{ id, name: id.toUpperCase(), providerId, isDefault },
  ...{ provider: `name of ${providerId}`, kind: 'openai-chat', offline: false },
});

test('one entry a provider with all its models, and none for what nobody can remove', () => {
  expect(groupProviders([model('tour', null), model('a', 'p1'), model('b', 'p2'), model('c', 'p1', true)])).toEqual([
    { id: 'p1', name: 'name of p1', models: ['A', 'C'], hasDefault: true },
    { id: 'p2', name: 'name of p2', models: ['B'], hasDefault: false },
  ]);
});
