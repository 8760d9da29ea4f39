import { describe, expect, it } from 'vitest';
import { globToRegExp } from './glob.ts';
import { isIgnored, parseIgnore } from './ignore-rules.ts';

describe('isIgnored', () => {
  it.each([
    ['dist', 'dist', true, true],
    ['dist', 'a/dist', true, true],
    ['dist/', 'dist', false, false],
    ['/dist', 'a/dist', true, false],
    ['*.secret', 'a/b.secret', false, true],
    ['a/*.txt', 'a/b.txt', false, true],
    ['a/*.txt', 'x/a/b.txt', false, false],
    ['**/foo/bar', 'x/y/foo/bar', false, true],
    ['a/**', 'a/b/c', false, true],
    ['a/**/z', 'a/z', false, true],
    ['# a comment', '# a comment', false, false],
    ['\\#literal', '#literal', false, true],
    ['*.log\n!keep.log', 'keep.log', false, false],
    ['!keep.log\n*.log', 'keep.log', false, true],
    ['[ab].txt', 'b.txt', false, true],
    ['[!ab].txt', 'b.txt', false, false],
    ['name  ', 'name', false, true],
    ['[', '[', false, false],
  ])('%j of %s', (rules, path, directory, expected) => {
    expect(isIgnored([parseIgnore(rules, '')], path, directory)).toBe(expected);
  });

  it('lets the inner file decide over the outer', () => {
    const stack = [parseIgnore('*.log', ''), parseIgnore('!keep.log', 'sub')];
    expect(isIgnored(stack, 'sub/keep.log', false)).toBe(false);
    expect(isIgnored(stack, 'sub/other.log', false)).toBe(true);
  });
});

describe('globToRegExp', () => {
  it.each([
    ['*.md', 'a.md', true],
    ['*.md', 'a/b.md', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['**', 'a/b', true],
    ['{a,b{1,2}}.x', 'b2.x', true],
    ['a?c', 'a/c', false],
    ['a.c', 'abc', false],
    ['[a-c]x', 'bx', true],
    ['\\*', '*', true],
    ['(a|b)+$', '(a|b)+$', true],
  ])('%s against %s', (glob, path, expected) => {
    expect(globToRegExp(glob).test(path)).toBe(expected);
  });

  it.each(['[a', '{a', '{a,b'])('refuses %s', (glob) => {
    expect(() => globToRegExp(glob)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
