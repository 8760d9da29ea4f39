import { expect, test } from 'vitest';
import { readSubject } from './read-subject.ts';

test('rows come from the bytes that are hashed', () => {
  const subject = readSubject(
    '{"cwd":"","env":[{"name":"CI","valueSha256":"x"}],"hosts":[],"imageDigest":"","input":{"command":"a\\nb","env":{"X":"1"}},"paths":[],"preconditions":[{"path":"a.ts","sha256":"0123456789abcdef"},{"path":"b.ts","sha256":null}],"tool":"run_command"}',
  );
  expect(subject).toEqual({
    rows: [
      { name: 'command', value: 'a\nb' },
      { name: 'env', value: '{\n  "X": "1"\n}' },
    ],
    circumstances: [
      { name: 'cwd', value: '.' },
      { name: 'files', value: 'a.ts sha256 0123456789ab…\nb.ts (must not exist)' },
      { name: 'env', value: 'CI' },
    ],
  });
});

test.each(['not json', '[]', '{"tool":"x"}', '{"input":[]}'])('%s has no rows', (text) =>
  expect(readSubject(text)).toBeNull(),
);
