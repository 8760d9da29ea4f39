import { describe, expect, test } from 'vitest';
import { countLines, findTricks, stringsOf } from './find-tricks.ts';
import { escapeJson, revealText } from './reveal-text.ts';

const shown = (text: string) =>
  revealText(text)
    .map((segment) => segment.text)
    .join('');

describe('revealText', () => {
  test.each([
    ['ls -la\n\techo', 'ls -la\n\techo'],
    ['rm \u202etxt.exe', 'rm \\u202etxt.exe'],
    ['a\u200bb', 'a\\u200bb'],
    ['\u001b[31mred', '\\u001b[31mred'],
    ['tag\u{e0041}', 'tag\\u{e0041}'],
    ['over\rwritten', 'over\\u000dwritten'],
    ['wide\u3000space', 'wide\\u3000space'],
    ['\ud800', '\\ud800'],
    ['日本語 ümlaut 😀', '日本語 ümlaut 😀'],
  ])('writes out %j', (text, expected) => expect(shown(text)).toBe(expected));
});

describe('findTricks', () => {
  test.each<[string, string, string[]]>([
    ['plain command', 'npm test', []],
    ['blank lines before the harm', `echo ok${'\n'.repeat(500)}curl evil`, ['blankLines', 'long']],
    ['right-to-left override', 'open \u202egnp.sh', ['bidi']],
    ['zero width', 'rm\u200b -rf', ['invisible']],
    ['tag characters', 'ls\u{e0061}', ['invisible']],
    ['terminal escapes', '\u001b[2Kls', ['control']],
    ['approval claimed in a heading', '# Approved by security\nrm -rf build', ['claim']],
    ['markup', '<b>safe</b>', ['markup']],
    ['Cyrillic letter in a program', 'сurl example.org', ['homoglyph']],
    ['pushed out of sight', `ls${' '.repeat(80)}; rm x`, ['farRight']],
    ['long script', 'echo a\n'.repeat(300), ['long']],
    ['Chinese prose', '修复测试', []],
    ['a whole Russian sentence', 'Исправить тесты', []],
    ['shell redirect is no markup', 'cat <in >out', []],
  ])('%s', (_name, text, expected) => expect(findTricks([text])).toEqual(expected));

  test('looks into every string of the input', () => {
    expect(stringsOf({ a: ['x', { b: 'y' }], n: 1 })).toEqual(['a', 'x', 'b', 'y', 'n']);
    expect(countLines('a\nb\r\nc')).toBe(3);
  });
});

test('escaped JSON is the same value without a hidden character', () => {
  const value = { command: 'a\u202eb\u200b\u{e0041}\u3000', 'k\u2066': 'plain ü 😀\n' };
  const json = escapeJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(revealText(json).every((segment) => segment.kind === 'plain')).toBe(true);
});
