import { expect, test } from 'vitest';
import type { ModelSummary } from '../../trpc/types.ts';
import { chosenModel } from './chosen-model.ts';

const tour: ModelSummary = {
  ...{ id: 'tour', name: 'Tour', provider: 'built in', providerId: null },
  ...{ kind: 'tour', offline: true, isDefault: true },
};

test('a session without a choice shows the default, one whose model was removed shows none', () => {
  expect(chosenModel([tour], null)).toBe(tour);
  expect(chosenModel([tour], 'tour')).toBe(tour);
  expect(chosenModel([tour], 'removed')).toBeNull();
});
