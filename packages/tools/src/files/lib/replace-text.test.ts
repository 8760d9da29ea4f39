import { readFileSync } from 'node:fs';
import { ToolError } from '@oneslot/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replaceText } from './replace-text.ts';
import { decodeText, encodeText } from './text-file.ts';

type Row = {
  id: string;
  content: string;
  oldText: string;
  newText: string;
  replaceAll: boolean;
  expect: 'applied' | 'rejected';
  result: string;
  mayReject?: boolean;
};

const rows = readFileSync(new URL('../../../../../cases/apply-patch/edit.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

/** As edit_file does it: bytes in, bytes out; a refusal leaves the bytes as they were. */
function editBytes(row: Row): { applied: boolean; content: string } {
  try {
    const file = decodeText('f', Buffer.from(row.content));
    if (row.oldText === '') throw new ToolError('invalid_input', 'empty');
    const done = replaceText('f', file.text, {
      old_string: row.oldText,
      new_string: row.newText,
      replace_all: row.replaceAll,
    });
    return {
      applied: true,
      content: Buffer.from(encodeText({ text: done.text, encoding: file.encoding })).toString('utf8'),
    };
  } catch (error) {
    if (error instanceof ToolError) return { applied: false, content: row.content };
    throw error;
  }
}

describe('cases/apply-patch/edit.jsonl', () => {
  test.each(rows)('$id $note', (row) => {
    const { applied, content } = editBytes(row);
    if (!applied && row.mayReject) return;
    expect({ applied, content }).toEqual({ applied: row.expect === 'applied', content: row.result });
  });
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
