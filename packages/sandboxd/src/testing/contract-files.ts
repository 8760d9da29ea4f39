import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { run } from './run.ts';
import type { Sandbox } from './sandbox.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const whole = { from: 1, maxLines: 2_000, maxBytes: 1_000_000 };

export function describeFiles(sandbox: Sandbox): void {
  describe('reading', () => {
    it('tells kind and size, with links followed', async () => {
      expect(await sandbox.client.files.stat('config.json')).toMatchObject({
        path: 'config.json',
        kind: 'file',
        sizeBytes: 31,
        mode: 0o644,
      });
      expect(await sandbox.client.files.stat('/workspace/src')).toMatchObject({ path: 'src', kind: 'directory' });
      expect(await sandbox.client.files.stat('.')).toMatchObject({ path: '.', kind: 'directory' });
    });

    it('reads bytes with their hash, and windows of them', async () => {
      const bytes = Buffer.from('{"port": 5173, "debug": false}\n');
      expect(await sandbox.client.files.read('config.json')).toEqual({
        path: 'config.json',
        bytes,
        offset: 0,
        sizeBytes: 31,
        sha256: sha256(bytes),
      });
      const part = await sandbox.client.files.read('config.json', { offset: 2, length: 4 });
      expect({ ...part, bytes: Buffer.from(part.bytes).toString() }).toMatchObject({
        bytes: 'port',
        offset: 2,
        sizeBytes: 31,
        sha256: sha256(bytes),
      });
      expect((await sandbox.client.files.read('bin/blob.bin')).bytes).toHaveLength(65_536);
    });

    it('reads lines with encoding, endings and totals', async () => {
      expect(await sandbox.client.files.readLines('src/crlf.txt', whole)).toMatchObject({
        lines: ['a', 'b', 'c'],
        from: 1,
        to: 3,
        totalLines: 3,
        encoding: 'utf-8',
        eol: 'crlf',
      });
      expect(await sandbox.client.files.readLines('notes.txt', whole)).toMatchObject({
        lines: ['alpha', 'beta'],
        totalLines: 2,
        eol: 'lf',
      });
      expect(
        await sandbox.client.files.readLines('big.log', { from: 2_999, maxLines: 10, maxBytes: 1_000 }),
      ).toMatchObject({ lines: ['entry 2999', 'entry 3000'], from: 2_999, to: 3_000, totalLines: 3_000 });
    });

    it('answers past the end with no lines', async () => {
      expect(await sandbox.client.files.readLines('notes.txt', { ...whole, from: 9 })).toMatchObject({
        lines: [],
        from: 9,
        to: 8,
        totalLines: 2,
      });
    });

    it('gives whole lines that fit, and leads through all of them', async () => {
      const lines: string[] = [];
      for (let from = 1; ; ) {
        const part = await sandbox.client.files.readLines('wide.txt', { from, maxLines: 500, maxBytes: 24_000 });
        expect(part.lines.length).toBeLessThanOrEqual(24);
        lines.push(...part.lines);
        if (part.to === part.totalLines) break;
        from = part.to + 1;
      }
      expect(lines).toEqual(Array.from({ length: 40 }, () => 'x'.repeat(1_000)));
    });

    it('gives one line however long it is', async () => {
      expect(
        (await sandbox.client.files.readLines('min.js', { from: 1, maxLines: 5, maxBytes: 1_000 })).lines[0],
      ).toHaveLength(200_000);
    });

    it('refuses what is no text, no file or not there', async () => {
      await expect(sandbox.client.files.readLines('bin/blob.bin', whole)).rejects.toMatchObject({
        code: 'binary_file',
      });
      await expect(sandbox.client.files.read('src')).rejects.toMatchObject({ code: 'is_directory' });
      await expect(sandbox.client.files.read('src/crt.ts')).rejects.toMatchObject({ code: 'not_found' });
      await expect(sandbox.client.files.read('notes.txt/x')).rejects.toMatchObject({ code: 'not_directory' });
    });

    it.each([
      ['utf-16le', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('hé\r\nyo\r\n', 'utf16le')]), 'crlf'],
      ['utf-16be', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('hé\nyo\n', 'utf16le').swap16()]), 'lf'],
      ['utf-8-bom', Buffer.from('\ufeffhé\nyo\n'), 'lf'],
    ])('decodes %s', async (encoding, bytes, eol) => {
      await sandbox.client.files.write(`encoded/${encoding}.txt`, bytes, { expectedSha256: null });
      expect(await sandbox.client.files.readLines(`encoded/${encoding}.txt`, whole)).toMatchObject({
        lines: ['hé', 'yo'],
        encoding,
        eol,
      });
    });
  });

  describe('writing', () => {
    it('creates with parents, then demands the bytes it replaces', async () => {
      const one = Buffer.from('one\n');
      const made = await sandbox.client.files.write('made/deep/x.txt', one, { expectedSha256: null });
      expect(made).toEqual({ path: 'made/deep/x.txt', sha256: sha256(one), created: true });
      await expect(sandbox.client.files.write('made/deep/x.txt', one, { expectedSha256: null })).rejects.toMatchObject({
        code: 'conflict',
      });
      await expect(
        sandbox.client.files.write('made/deep/x.txt', one, { expectedSha256: sha256(Buffer.from('other')) }),
      ).rejects.toMatchObject({ code: 'stale_file' });
      const two = Buffer.from('two\n');
      expect(await sandbox.client.files.write('made/deep/x.txt', two, { expectedSha256: made.sha256 })).toMatchObject({
        created: false,
        sha256: sha256(two),
      });
      expect(Buffer.from((await sandbox.client.files.read('made/deep/x.txt')).bytes).toString()).toBe('two\n');
    });

    it('says that a file is gone which was expected', async () => {
      await expect(
        sandbox.client.files.write('made/gone.txt', Buffer.from('x'), { expectedSha256: sha256(Buffer.from('x')) }),
      ).rejects.toMatchObject({ code: 'stale_file' });
    });

    it('keeps the mode of what it replaces', async () => {
      const { sha256: first } = await sandbox.client.files.write('made/tool.sh', Buffer.from('#!/bin/sh\n'), {
        expectedSha256: null,
      });
      await run(sandbox, 'chmod 755 made/tool.sh', { cwd: '.' });
      await sandbox.client.files.write('made/tool.sh', Buffer.from('#!/bin/bash\n'), { expectedSha256: first });
      expect((await sandbox.client.files.stat('made/tool.sh')).mode).toBe(0o755);
    });

    it('carries 3 MiB both ways and leaves nothing beside them', async () => {
      const bytes = Buffer.alloc(3_145_728, 'abcdefg');
      await sandbox.client.files.write('large/file.bin', bytes, { expectedSha256: null });
      expect((await sandbox.client.files.read('large/file.bin')).sha256).toBe(sha256(bytes));
      expect(
        (await sandbox.client.files.list({ path: 'large', depth: 1, all: true, limit: 10 })).entries.map(
          ({ path }) => path,
        ),
      ).toEqual(['large/file.bin']);
    });

    it('writes one of many at once', async () => {
      const attempts = await Promise.allSettled(
        Array.from({ length: 8 }, (_unused, index) =>
          sandbox.client.files.write('made/race.txt', Buffer.from(`${index}`), { expectedSha256: null }),
        ),
      );
      expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('refuses a folder as target', async () => {
      await expect(sandbox.client.files.write('src', Buffer.from('x'), { expectedSha256: null })).rejects.toMatchObject(
        { code: 'is_directory' },
      );
      await expect(
        sandbox.client.files.write('notes.txt/below', Buffer.from('x'), { expectedSha256: null }),
      ).rejects.toMatchObject({ code: 'not_directory' });
    });
  });

  describe('managing', () => {
    it('makes, moves and removes', async () => {
      await sandbox.client.files.mkdir('managed/a/b');
      await sandbox.client.files.write('managed/a/b/f.txt', Buffer.from('f'), { expectedSha256: null });
      await sandbox.client.files.move('managed/a', 'managed/c');
      expect((await sandbox.client.files.stat('managed/c/b/f.txt')).sizeBytes).toBe(1);
      await expect(sandbox.client.files.remove('managed')).rejects.toMatchObject({ code: 'is_directory' });
      expect(await sandbox.client.files.remove('managed', { recursive: true })).toEqual({ files: 1 });
      await expect(sandbox.client.files.stat('managed')).rejects.toMatchObject({ code: 'not_found' });
    });

    it('does not move onto what exists, nor remove the workspace', async () => {
      await expect(sandbox.client.files.move('notes.txt', 'config.json')).rejects.toMatchObject({ code: 'conflict' });
      await expect(sandbox.client.files.remove('.', { recursive: true })).rejects.toMatchObject({
        code: 'denied_by_policy',
      });
      await expect(sandbox.client.files.move('src', 'src/inner')).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });
}
