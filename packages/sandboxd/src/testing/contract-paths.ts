import { describe, expect, it } from 'vitest';
import { run } from './run.ts';
import type { Sandbox } from './sandbox.ts';
import { tarOf } from './tar-of.ts';

const lines = { from: 1, maxLines: 10, maxBytes: 1_000 };
/** Everything a path can be used for. */
const uses: Record<string, (sandbox: Sandbox, path: string) => Promise<unknown>> = {
  stat: ({ client }, path) => client.files.stat(path),
  read: ({ client }, path) => client.files.read(path),
  readLines: ({ client }, path) => client.files.readLines(path, lines),
  write: ({ client }, path) => client.files.write(path, Buffer.from('x'), { expectedSha256: null }),
  mkdir: ({ client }, path) => client.files.mkdir(path),
  remove: ({ client }, path) => client.files.remove(path, { recursive: true }),
  'move from': ({ client }, path) => client.files.move(path, 'moved-here'),
  'move to': ({ client }, path) => client.files.move('notes.txt', path, { overwrite: true }),
  list: ({ client }, path) => client.files.list({ path, depth: 1, all: true, limit: 10 }),
  find: ({ client }, path) =>
    client.files.find({ query: 'a', path, extensions: [], kind: 'any', sort: 'score', all: true, limit: 10 }),
  grep: ({ client }, path) =>
    client.files.grep({
      pattern: 'a',
      path,
      globs: [],
      output: 'content',
      context: 0,
      ignoreCase: false,
      fixed: false,
      multiline: false,
      all: true,
      limit: 10,
      offset: 0,
    }),
  'run in': ({ client }, path) =>
    client.commands.run({ command: 'pwd', cwd: path, timeoutMs: 5_000, background: false, tty: false }, {}),
};

const outside = [
  '..',
  '../',
  '../etc/passwd',
  '../../../../etc/passwd',
  'a/../../b',
  'src/../../..',
  '/etc/passwd',
  '/',
  '/workspace-evil/x',
  '/workspace/../etc/passwd',
  '/proc/self/environ',
  'file:///etc/passwd',
];
const invalid: [string, string][] = [
  ['empty', ''],
  ['with NUL', 'src/cart.ts\0.png'],
  ['of 5,000 bytes', 'x/'.repeat(2_500)],
];

export function describePaths(sandbox: Sandbox): void {
  describe.each(Object.entries(uses))('%s stays inside', (_name, use) => {
    it.each(outside)('against %s', async (path) => {
      await expect(use(sandbox, path)).rejects.toMatchObject({ code: 'outside_workspace' });
    });

    it.each(invalid)('against a path %s', async (_what, path) => {
      await expect(use(sandbox, path)).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });

  describe('links that leave', () => {
    const reading = ['stat', 'read', 'readLines', 'write', 'list', 'find', 'grep', 'run in'] as const;
    it.each(reading)('%s of one is refused without a word of its target', async (name) => {
      const failure = await uses[name]?.(sandbox, 'leak').catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'outside_workspace' });
      expect(JSON.stringify(failure)).not.toContain('root:');
    });

    it.each(['folder-link/x', 'folder-link/sub/x', 'folder-link/../x/../../x'])(
      'one amid %s is not followed',
      async (path) => {
        await sandbox.client.archive.import(tarOf([{ path: 'folder-link', link: '/tmp' }]));
        for (const name of ['stat', 'read', 'write', 'mkdir', 'remove', 'move to'] as const) {
          const failure = await uses[name]?.(sandbox, path).catch((error: unknown) => error);
          expect(['outside_workspace', 'not_found']).toContain((failure as { code: string }).code);
        }
      },
    );

    it.each(['/etc/oneslot-dangling', '../../oneslot-dangling', '/workspace/../oneslot-dangling'])(
      'nothing is created through a dangling one to %s',
      async (target) => {
        await sandbox.client.archive.import(tarOf([{ path: 'dangling', link: target }]));
        await expect(
          sandbox.client.files.write('dangling', Buffer.from('x'), { expectedSha256: null }),
        ).rejects.toMatchObject({ code: 'outside_workspace' });
        await sandbox.client.files.remove('dangling');
      },
    );

    it('are listed as links that leave', async () => {
      const { entries } = await sandbox.client.files.list({ path: '.', depth: 1, all: true, limit: 500 });
      expect(entries.find(({ path }) => path === 'leak')).toMatchObject({
        kind: 'link',
        linkTarget: '/etc/passwd',
        outside: true,
      });
    });

    it('are removed without their target', async () => {
      await sandbox.client.archive.import(tarOf([{ path: 'to-remove', link: '/etc/hostname' }]));
      expect(await sandbox.client.files.remove('to-remove')).toEqual({ files: 1 });
    });
  });

  describe('links the shell made that leave', () => {
    it.each([
      ['absolute', '/etc/passwd', '/etc/passwd'],
      ['to a folder', '/etc', '/etc'],
      ['to the temporary folder', '/tmp', '/tmp'],
      ['climbing', '../../../../../../../../../../etc/passwd', '../../../../../../../../../../etc/passwd'],
      ['climbing from a name inside', '/workspace/../../../../../../etc', '/workspace/../../../../../../etc'],
      ['to nothing', '/nowhere/100%/x', '/nowhere/100%/x'],
    ])('%s: are shown as they are and lead nowhere', async (_what, target, shown) => {
      await run(sandbox, `rm -f by-shell && ln -s '${target}' by-shell`, { cwd: '.' });
      const { entries } = await sandbox.client.files.list({ path: '.', depth: 1, all: true, limit: 500 });
      expect(entries.find(({ path }) => path === 'by-shell')).toMatchObject({
        kind: 'link',
        linkTarget: shown,
        outside: true,
      });
      for (const name of ['stat', 'read', 'readLines', 'write', 'list', 'run in'] as const)
        await expect(uses[name]?.(sandbox, 'by-shell')).rejects.toMatchObject({ code: 'outside_workspace' });
      expect((await run(sandbox, 'readlink by-shell', { cwd: '.' })).out).toBe(`${shown}\n`);
      expect(await sandbox.client.files.remove('by-shell')).toEqual({ files: 1 });
    });

    it('make nothing in the workspace when they are written through', async () => {
      const before = await run(sandbox, 'ls -A', { cwd: '.' });
      await run(sandbox, 'ln -s /nowhere/at/all away', { cwd: '.' });
      for (const command of ['echo x > away', 'echo x >> away', 'mkdir -p away/sub', 'touch away', 'cp notes.txt away'])
        expect(await run(sandbox, command, { cwd: '.' })).toMatchObject({ exitCode: 1 });
      await run(sandbox, 'rm away', { cwd: '.' });
      expect((await run(sandbox, 'ls -A', { cwd: '.' })).out).toBe(before.out);
    });
  });

  describe('links that stay', () => {
    it('are followed for reading, writing and listing', async () => {
      await sandbox.client.archive.import(
        tarOf([
          { path: 'inner/real/' },
          { path: 'inner/real/f.txt', text: 'inside\n' },
          { path: 'inner/file', link: 'real/f.txt' },
          { path: 'inner/folder', link: '/workspace/inner/real' },
        ]),
      );
      const read = await sandbox.client.files.read('inner/file');
      expect(Buffer.from(read.bytes).toString()).toBe('inside\n');
      expect(await sandbox.client.files.stat('inner/file')).toMatchObject({ kind: 'file', linkTarget: 'real/f.txt' });
      if (read.sha256 !== null)
        await sandbox.client.files.write('inner/folder/f.txt', Buffer.from('changed\n'), {
          expectedSha256: read.sha256,
        });
      expect(Buffer.from((await sandbox.client.files.read('inner/file')).bytes).toString()).toBe('changed\n');
      expect(
        (await sandbox.client.files.list({ path: 'inner', depth: 1, all: false, limit: 10 })).entries.find(
          ({ path }) => path === 'inner/file',
        ),
      ).toMatchObject({ kind: 'link', outside: false });
    });

    it('of the shell mean the same to file tools', async () => {
      await run(
        sandbox,
        'mkdir -p shell && echo hi > shell/a && ln -s "$PWD/shell/a" shell/absolute && ln -s a shell/relative',
        { cwd: '.' },
      );
      for (const path of ['shell/absolute', 'shell/relative'])
        expect(Buffer.from((await sandbox.client.files.read(path)).bytes).toString()).toBe('hi\n');
      expect(await sandbox.client.files.stat('shell/absolute')).toMatchObject({ linkTarget: '/workspace/shell/a' });
      expect(await sandbox.client.files.stat('shell/relative')).toMatchObject({ linkTarget: 'a' });
      const { entries } = await sandbox.client.files.list({ path: 'shell', depth: 1, all: true, limit: 10 });
      expect(entries.map(({ linkTarget, outside }) => [linkTarget, outside])).toEqual([
        [undefined, undefined],
        ['/workspace/shell/a', false],
        ['a', false],
      ]);
      expect(await sandbox.client.files.readLines('shell/absolute', lines)).toMatchObject({ lines: ['hi'] });
      expect((await run(sandbox, 'cat shell/absolute shell/relative', { cwd: '.' })).out).toBe('hi\nhi\n');
    });
  });

  it('a folder swapped for a link while it is written and read never leads out', async () => {
    const swap = 'cd /workspace && for i in $(seq 1 60); do mkdir -p swap; rm -rf swap; ln -s /tmp swap; rm swap; done';
    const swapping = run(sandbox, swap, { cwd: '.' });
    for (let round = 0; round < 100; round += 1) {
      const [written, read] = await Promise.allSettled([
        sandbox.client.files.write('swap/oneslot-escaped', Buffer.from('x'), { expectedSha256: null }),
        sandbox.client.files.list({ path: 'swap', depth: 1, all: true, limit: 10 }),
      ]);
      for (const one of [written, read])
        if (one.status === 'rejected') expect(one.reason).not.toMatchObject({ code: 'internal' });
    }
    await swapping;
    expect((await run(sandbox, 'ls -A /tmp | grep -c oneslot-escaped')).out.trim()).toBe('0');
  }, 60_000);
}
