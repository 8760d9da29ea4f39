import { expect, test } from 'vitest';
import { isLocale, pickLocale } from './locales.ts';

test.each([
  [null, 'en'],
  ['', 'en'],
  ['de-DE,de;q=0.9', 'en'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN'],
  ['en;q=0.5, zh-TW;q=0.9', 'zh-CN'],
  ['zh;q=0, en', 'en'],
  ['*;q=0.1', 'en'],
])('picks from %j', (header, expected) => expect(pickLocale(header)).toBe(expected));

test('only own locales count', () => {
  expect(isLocale('zh-CN')).toBe(true);
  expect(isLocale('../../x')).toBe(false);
});
