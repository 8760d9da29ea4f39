import { HostError } from '@oneslot/core';
import { expect, test } from 'vitest';
import { explain } from './report.ts';

test('a start that failed says what was tried, why, and what to do, in this order', () => {
  const cause = new Error('file is damaged');
  const error = Object.assign(new Error('The database could not be opened.', { cause }), { next: 'Restore a copy.' });
  expect(explain(error)).toBe(
    '✗ The database could not be opened.\n  because: file is damaged\n  next: Restore a copy.',
  );
});

test('the next step of an error below counts where the one above has none', () => {
  const cause = new HostError('unavailable', 'The engine is gone.', { next: 'Start Docker.' });
  expect(explain(new Error('No start.', { cause }))).toMatch(
    /because: The engine is gone\.\n {2}next: Start Docker\.$/,
  );
});

test('what is no error is said as it is', () => {
  expect(explain('odd')).toBe('✗ odd');
});
