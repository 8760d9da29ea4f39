import { describe, expect, it } from 'vitest';
import { type BatchRow, scoreBatch } from '../../test/scores/score-batches.ts';
import { ownCases } from '../testing/read-cases.ts';

describe('cases/core/batching.json', () => {
  it.each(ownCases<BatchRow>('core/batching.json'))('$id', async (row) => {
    expect((await scoreBatch(row)).failure).toBeNull();
  });
});
