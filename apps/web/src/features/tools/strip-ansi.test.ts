import { expect, test } from 'vitest';
import { stripAnsi } from './strip-ansi.ts';

test.each([
  ['plain\n', 'plain\n'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b[38;5;12mblue\u001b[m and \u001b[1;4mmore', 'blue and more'],
  ['\u001b]8;;https://x.example\u0007link\u001b]8;;\u0007', 'link'],
  ['10%\r50%\r100%\ndone', '100%\ndone'],
  ['windows\r\nlines\r\n', 'windows\nlines\n'],
  ['a\u0007b\u0000c', 'abc'],
  ['\u001b(Bx\u001b=y', 'xy'],
])('%j', (text, expected) => expect(stripAnsi(text)).toBe(expected));
