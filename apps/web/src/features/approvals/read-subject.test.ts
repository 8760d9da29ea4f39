import { expect, test } from 'vitest';
import { readSubject } from './read-subject.ts';

test('rows come from the bytes that are hashed', () => {
  const subject = readSubject(
    '{"cwd":"","env":[{"name":"CI","valueSha256":"x"}],"hosts":[],"imageDigest":"","input":{"command":"a\\nb","env":{"X":"1"},"tty":false},"paths":[],"preconditions":[{"path":"a.ts","sha256":"0123456789abcdef"},{"path":"b.ts","sha256":null}],"tool":"run_command"}',
  );
  expect(subject).toEqual({
    rows: [
      { name: 'command', value: 'a\nb', brief: false },
      { name: 'env', value: '{\n  "X": "1"\n}', brief: false },
      { name: 'tty', value: 'false', brief: true },
    ],
    circumstances: [
      { name: 'cwd', value: '.', brief: false },
      { name: 'files', value: 'a.ts sha256 0123456789ab…\nb.ts (must not exist)', brief: false },
      { name: 'env', value: 'CI', brief: false },
    ],
  });
});

test.each(['not json', '[]', '{"tool":"x"}', '{"input":[]}'])('%s has no rows', (text) =>
  expect(readSubject(text)).toBeNull(),
);
