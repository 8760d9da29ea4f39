import type { CommandParser, SyntaxNode } from '@oneslot/core';
import { beforeAll, expect, test } from 'vitest';
import { loadCommandParser } from './command-parser.ts';

let parser: CommandParser;
beforeAll(async () => {
  parser = await loadCommandParser();
});

const outline = (node: SyntaxNode): string =>
  node.children.length > 0 ? `${node.type}(${node.children.map(outline).join(' ')})` : `${node.type}:${node.text}`;

test('a plain command becomes words with their fields', () => {
  const [command] = parser.parse('ls -la src').children;
  expect(command?.type).toBe('command');
  expect(command?.children.map((child) => [child.field, child.text])).toEqual([
    ['name', 'ls'],
    ['argument', '-la'],
    ['argument', 'src'],
  ]);
});

test('operators, redirection and substitution keep their shape', () => {
  expect(outline(parser.parse('a > x && echo $(rm y)'))).toBe(
    'program(list(redirected_statement(command(command_name(word:a)) file_redirect(word:x)) command(command_name(word:echo) command_substitution(command(command_name(word:rm) word:y)))))',
  );
});

test('positions are UTF-16 indices of the source', () => {
  const source = 'echo é😀 > ü';
  const walk = (node: SyntaxNode): void => {
    expect(source.slice(node.start, node.end)).toBe(node.text);
    node.children.forEach(walk);
  };
  walk(parser.parse(source));
  expect(parser.parse(source).children[0]?.children.at(-1)?.text).toBe('> ü');
});

test('an unbalanced line is marked as broken', () => {
  expect(parser.parse('echo "open').hasError).toBe(true);
  expect(parser.parse('echo "closed"').hasError).toBe(false);
});

test('endless nesting neither throws nor counts as readable', () => {
  const deep = parser.parse(`${'$('.repeat(2_000)}x${')'.repeat(2_000)}`);
  const broken = (node: SyntaxNode): boolean => node.hasError || node.children.some(broken);
  expect(broken(deep)).toBe(true);
});
