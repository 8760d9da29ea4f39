import { createTranslator } from 'next-intl';
import { expect, test } from 'vitest';
import en from './en.json' with { type: 'json' };
import zh from './zh-CN.json' with { type: 'json' };

function flatten(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => flatten(one, path === '' ? key : `${path}.${key}`));
}
const keys = (messages: object) =>
  flatten(messages)
    .map(([key]) => key)
    .sort();
/** Arguments and tags; what a plural or select says inside its branches is text, not an argument. */
const slots = (text: string) =>
  [
    ...new Set(
      [...text.matchAll(/\{(\w+)(?=\}|, (?:number|plural|select))|<(\w+)>/g)].map((match) => match[1] ?? match[2]),
    ),
  ].sort();

test('both languages say the same things', () => {
  expect(keys(zh)).toEqual(keys(en));
});

test('both languages take the same values', () => {
  const chinese = new Map(flatten(zh));
  for (const [key, text] of flatten(en)) expect(slots(chinese.get(key) ?? ''), key).toEqual(slots(text));
});

test.each([
  ['en', en],
  ['zh-CN', zh],
] as const)('every message of %s can be parsed', (locale, messages) => {
  const errors: unknown[] = [];
  const values = Object.fromEntries(flatten(messages).flatMap(([, text]) => slots(text).map((name) => [name, 2])));
  const tags = { link: (chunks: unknown) => chunks, code: (chunks: unknown) => chunks };
  const t = createTranslator({ locale, messages: messages as object, onError: (error) => errors.push(error) });
  for (const [key] of flatten(messages)) Reflect.apply(t.rich, t, [key, { ...values, ...tags }]);
  expect(errors).toEqual([]);
});
