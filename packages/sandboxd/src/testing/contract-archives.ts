import { describe, expect, it } from 'vitest';
import { readTar } from '../agent/tar-reader.ts';
import { textOf } from './run.ts';
import type { Sandbox } from './sandbox.ts';
import { tarOf } from './tar-of.ts';

export function describeArchives(sandbox: Sandbox): void {
  describe('archives', () => {
    it('come back as they went in: names, bytes, modes and links', async () => {
      const long = `round/${'d'.repeat(90)}/${'e'.repeat(90)}/`;
      const tree = [
        { path: 'round/' },
        { path: 'round/a.txt', text: 'hé\n', mode: 0o644 },
        { path: 'round/tool', text: '#!/bin/sh\n', mode: 0o755 },
        { path: 'round/link', link: 'a.txt' },
        { path: 'round/away', link: '/etc/passwd' },
        { path: `${long}file`, text: 'deep' },
        { path: 'round/empty', text: '' },
        { path: 'round/large.bin', bytes: Buffer.alloc(2_500_000, 'xyz') },
      ];
      expect(await sandbox.client.archive.import(tarOf(tree))).toMatchObject({ files: 5, skipped: [] });
      const found = new Map<string, string>();
      for await (const entry of readTar(sandbox.client.archive.export('round'))) {
        found.set(
          entry.path,
          entry.kind === 'link' ? `-> ${entry.linkTarget}` : `${entry.mode.toString(8)} ${await textOf(entry.body)}`,
        );
      }
      expect(found.get('round/a.txt')).toBe('644 hé\n');
      expect(found.get('round/tool')).toBe('755 #!/bin/sh\n');
      expect(found.get('round/link')).toBe('-> a.txt');
      expect(found.get('round/away')).toBe('-> /etc/passwd');
      expect(found.get(`${long}file`)).toContain('deep');
      expect(found.get('round/empty')).toBe('644 ');
      expect(found.get('round/large.bin')).toHaveLength(2_500_004);
    });

    it('skip and name what would leave, and take the rest', async () => {
      const report = await sandbox.client.archive.import(
        tarOf([
          { path: 'slip/ok.txt', text: 'ok' },
          { path: '../oneslot-slip', text: 'x' },
          { path: 'slip/../../oneslot-slip', text: 'x' },
          { path: '/tmp/oneslot-slip', text: 'x' },
          { path: 'slip/door', link: '/tmp' },
          { path: 'slip/door/oneslot-slip', text: 'x' },
          { path: 'slip/last.txt', text: 'last' },
        ]),
      );
      expect(report.files).toBe(2);
      expect(report.skipped.map(({ path }) => path)).toEqual([
        '../oneslot-slip',
        'slip/../../oneslot-slip',
        '/tmp/oneslot-slip',
        'slip/door/oneslot-slip',
      ]);
    });

    it('replace a link instead of writing through it', async () => {
      await sandbox.client.archive.import(
        tarOf([
          { path: 'replaced/target.txt', text: 'kept' },
          { path: 'replaced/link', link: 'target.txt' },
        ]),
      );
      await sandbox.client.archive.import(tarOf([{ path: 'replaced/link', text: 'new' }]));
      expect(Buffer.from((await sandbox.client.files.read('replaced/target.txt')).bytes).toString()).toBe('kept');
      expect(await sandbox.client.files.stat('replaced/link')).toMatchObject({ kind: 'file', sizeBytes: 3 });
    });

    it('refuse noise and half an entry', async () => {
      async function* noise() {
        yield Buffer.alloc(2_048, 'noise');
      }
      async function* half() {
        let left = 1_000;
        for await (const chunk of tarOf([{ path: 'cut.txt', text: 'x'.repeat(2_000) }])) {
          yield chunk.subarray(0, left);
          left = Math.max(0, left - chunk.length);
        }
      }
      for (const source of [noise(), half()])
        await expect(sandbox.client.archive.import(source)).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });
}
