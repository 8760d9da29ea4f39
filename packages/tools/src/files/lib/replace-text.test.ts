import { readFileSync } from 'node:fs';
import { ToolError } from '@oneslot/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EditRow, scoreEdit } from '../../../test/score-edits.ts';
import { replaceText } from './replace-text.ts';

const rows = readFileSync(new URL('../../../../../cases/apply-patch/edit.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): EditRow => JSON.parse(line));

test.each(rows)('cases/apply-patch/edit.jsonl $id', async (row) => {
  const { kind, detail } = await scoreEdit(row);
  expect(kind, detail).not.toBe('wrong');
});

const own: EditRow[] = JSON.parse(readFileSync(new URL('replace-text.cases.json', import.meta.url), 'utf8'));

test.each(own)('replace-text.cases.json $id: $note', async (row) => {
  const { kind, detail } = await scoreEdit(row);
  expect(kind, detail).not.toBe('wrong');
});

test('the last line of a file keeps that it has no end', () => {
  const edit = { old_string: 'b\n', new_string: 'c\n', replace_all: false };
  expect(replaceText('f', 'a\nb', edit).text).toBe('a\nc');
});

describe('laws', () => {
  test('bytes outside the one place stay as they are', () => {
    const word = fc.stringMatching(/^[a-z \t\r\n]{0,40}$/);
    fc.assert(
      fc.property(word, word, word, (before, after, replacement) => {
        const text = `${before}<<HERE>>${after}`;
        const done = replaceText('f', text, {
          old_string: '<<HERE>>',
          new_string: replacement.replaceAll(/[\r\n]/g, ''),
          replace_all: false,
        });
        expect(done.text).toBe(`${before}${replacement.replaceAll(/[\r\n]/g, '')}${after}`);
      }),
    );
  });

  test('a text without the searched words is never changed', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-m\n]{0,60}$/), fc.stringMatching(/^[n-z]{1,10}$/), (text, search) => {
        expect(() => replaceText('f', text, { old_string: search, new_string: 'x', replace_all: true })).toThrow(
          ToolError,
        );
      }),
    );
  });
});
