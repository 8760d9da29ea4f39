import { expect, test } from 'vitest';
import type { ChosenEngine } from '../sandbox/choose-engine.ts';
import type { SessionSandboxes } from '../sandbox/session-sandboxes.ts';
import { createSandboxFiles } from './sandbox-files.ts';

test('of a file that is too long to show whole the last character is whole or absent', async () => {
  const file = Buffer.from('漢'.repeat(400_000));
  const read = async (path: string, { length }: { length: number }) => ({
    path,
    bytes: file.subarray(0, length),
    sizeBytes: file.length,
    sha256: 'sum',
  });
  const sandboxes = { open: async () => ({ files: { read } }) } as unknown as SessionSandboxes;
  const { text } = await createSandboxFiles(sandboxes, {} as ChosenEngine).readFile('s', 'a.txt');
  expect(text).toBe('漢'.repeat(Math.floor((1024 * 1024) / 3)));
});
