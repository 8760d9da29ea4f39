import { expect, test } from 'vitest';
import { parseDiff } from './parse-diff.ts';

test('numbers both sides and counts', () => {
  const diff = parseDiff(
    '--- a/x\n+++ b/x\n@@ -3,3 +3,4 @@\n keep\n-old\n+new\n+more\n keep\n\\ No newline at end of file\n',
  );
  expect(diff).toMatchObject({ added: 2, removed: 1 });
  expect(diff.lines.map((line) => `${line.kind} ${line.before ?? '-'} ${line.after ?? '-'}`)).toEqual([
    'hunk - -',
    'same 3 3',
    'del 4 -',
    'add - 4',
    'add - 5',
    'same 5 6',
    'note - -',
  ]);
});

test('a removed line that looks like a header stays a line', () => {
  expect(parseDiff('@@ -1,1 +1,1 @@\n--- a\n+++ b\n')).toMatchObject({ added: 1, removed: 1 });
});

test('text without a hunk is shown as it is', () => {
  expect(parseDiff('binary files differ').lines).toEqual([
    { kind: 'note', text: 'binary files differ', before: null, after: null },
  ]);
});
