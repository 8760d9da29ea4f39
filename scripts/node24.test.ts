import { expect, test } from 'vitest';
import { isSupported } from './node24.mjs';

test.each([
  ['18.20.4', false],
  ['20.20.2', false],
  ['22.18.0', false],
  ['22.22.1', false],
  ['22.22.2', true],
  ['23.11.0', false],
  ['24.10.0', false],
  ['24.11.0', true],
  ['24.22.3', true],
  ['25.1.0', false],
  ['26.0.0', true],
  ['28.1.0', true],
])('Node %s is supported: %s', (version, supported) => {
  expect(isSupported(version)).toBe(supported);
});
