import { describe, expect, it } from 'vitest';
import type { FindRequest, GrepRequest } from '../operations.ts';
import type { Sandbox } from './sandbox.ts';

const grep: GrepRequest = {
  pattern: 'x',
  path: '.',
  globs: [],
  output: 'content',
  context: 0,
  ignoreCase: false,
  fixed: false,
  multiline: false,
  all: false,
  limit: 100,
  offset: 0,
};
const find: FindRequest = { path: '.', extensions: [], kind: 'any', sort: 'path', all: false, limit: 50 };

export function describeSearch(sandbox: Sandbox): void {
  describe('listing', () => {
    it('leaves out what is ignored and counts it', async () => {
      const { entries, hidden, stopped } = await sandbox.client.files.list({
        path: '.',
        depth: 1,
        all: false,
        limit: 200,
      });
      const paths = entries.map(({ path }) => path);
      expect(paths).toContain('src');
      expect(paths).not.toContain('dist');
      expect(paths).not.toContain('a.secret');
      expect(hidden).toBeGreaterThanOrEqual(2);
      expect(stopped).toBe(false);
    });

    it('shows all on demand, folders first, each in byte order', async () => {
      expect(
        (await sandbox.client.files.list({ path: 'src', depth: 1, all: false, limit: 200 })).entries.map(
          ({ path }) => path,
        ),
      ).toEqual(['src/cart.ts', 'src/checkout.ts', 'src/crlf.txt', 'src/dup.ts']);
      const all = (await sandbox.client.files.list({ path: '.', depth: 2, all: true, limit: 500 })).entries;
      expect(all.map(({ path }) => path)).toEqual(
        expect.arrayContaining(['dist', 'dist/out.js', 'a.secret', '.gitignore']),
      );
      const top = all.filter(({ path }) => !path.includes('/'));
      expect(top.findLastIndex(({ kind }) => kind === 'directory')).toBeLessThan(
        top.findIndex(({ kind }) => kind !== 'directory'),
      );
    });

    it('stops at its limit', async () => {
      expect(await sandbox.client.files.list({ path: '.', depth: 1, all: true, limit: 2 })).toMatchObject({
        entries: [{}, {}],
        stopped: true,
      });
    });

    it('refuses a file and a missing folder', async () => {
      await expect(
        sandbox.client.files.list({ path: 'notes.txt', depth: 1, all: false, limit: 10 }),
      ).rejects.toMatchObject({ code: 'not_directory' });
      await expect(
        sandbox.client.files.list({ path: 'nowhere', depth: 1, all: false, limit: 10 }),
      ).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('grep', () => {
    it('cuts a long line around its match', async () => {
      const { lines, matches } = await sandbox.client.files.grep({ ...grep, pattern: 'needle', path: 'min.js' });
      expect(matches).toBe(1);
      expect(lines[0]?.text).toContain('needle');
      expect(lines[0]?.text.length).toBeLessThanOrEqual(302);
    });

    it('searches literally, and says so when the pattern is no expression', async () => {
      const result = await sandbox.client.files.grep({ ...grep, pattern: 'total(', fixed: true, globs: ['src/**'] });
      expect(result.lines.map(({ path, line }) => `${path}:${line}`)).toEqual([
        'src/cart.ts:3',
        'src/checkout.ts:4',
        'src/checkout.ts:9',
      ]);
      expect(result).toMatchObject({ matches: 3, matchesExact: true, filesMatched: 2 });
      const failure = await sandbox.client.files
        .grep({ ...grep, pattern: 'total(', globs: ['src/**'] })
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'invalid_input', next: expect.stringContaining('fixed') });
    });

    it('gives context without repeating lines', async () => {
      const { lines } = await sandbox.client.files.grep({ ...grep, pattern: 'sum', path: 'src/cart.ts', context: 1 });
      expect(lines.map(({ line, match }) => `${line}${match ? ':' : '-'}`)).toEqual([
        '3-',
        '4:',
        '5-',
        '6:',
        '7-',
        '8:',
        '9-',
      ]);
    });

    it('pages through matches', async () => {
      const first = await sandbox.client.files.grep({ ...grep, pattern: 'entry 00', path: 'big.log', limit: 10 });
      const second = await sandbox.client.files.grep({
        ...grep,
        pattern: 'entry 00',
        path: 'big.log',
        limit: 10,
        offset: 10,
      });
      expect(first.lines.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(second.lines.map(({ line }) => line)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
      expect(second.matches).toBe(99);
    });

    it('counts by file, without case, and sees what is ignored only on demand', async () => {
      const counted = await sandbox.client.files.grep({
        ...grep,
        pattern: 'CONST RETRY',
        ignoreCase: true,
        output: 'count',
      });
      expect(counted.files).toMatchObject([{ path: 'src/dup.ts', count: 3 }]);
      expect((await sandbox.client.files.grep({ ...grep, pattern: '^token$', output: 'files' })).filesMatched).toBe(0);
      expect(
        (await sandbox.client.files.grep({ ...grep, pattern: '^token$', output: 'files', all: true })).files[0]?.path,
      ).toBe('a.secret');
    });

    it('matches across lines on demand', async () => {
      const { lines } = await sandbox.client.files.grep({
        ...grep,
        pattern: 'alpha\\nbeta',
        multiline: true,
        path: 'notes.txt',
      });
      expect(lines.map(({ line, text }) => `${line} ${text}`)).toEqual(['1 alpha', '2 beta']);
    });

    it('finds nothing without an error', async () => {
      expect(await sandbox.client.files.grep({ ...grep, pattern: 'no such words anywhere' })).toMatchObject({
        lines: [],
        matches: 0,
        filesMatched: 0,
      });
    });

    it('excludes by glob and refuses a missing path', async () => {
      expect(
        (
          await sandbox.client.files.grep({
            ...grep,
            pattern: 'total',
            globs: ['*.ts', '!cart*'],
            path: 'src',
            output: 'files',
          })
        ).files.map(({ path }) => path),
      ).toEqual(['src/checkout.ts']);
      await expect(sandbox.client.files.grep({ ...grep, path: 'nowhere' })).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  });

  describe('find', () => {
    it('ranks by likeness of the name', async () => {
      const { hits } = await sandbox.client.files.find({ ...find, query: 'crt', path: 'src', sort: 'score' });
      expect(hits[0]?.path).toBe('src/cart.ts');
    });

    it('matches globs below ignore rules', async () => {
      const { hits, total } = await sandbox.client.files.find({ ...find, pattern: '**/*.ts' });
      expect(hits.map(({ path }) => path)).toEqual([
        'src/cart.ts',
        'src/checkout.ts',
        'src/dup.ts',
        'tests/cart.test.ts',
      ]);
      expect(total).toBe(4);
      expect((await sandbox.client.files.find({ ...find, pattern: 'src/*.txt' })).hits.map(({ path }) => path)).toEqual(
        ['src/crlf.txt'],
      );
      expect(
        (await sandbox.client.files.find({ ...find, pattern: '*.{csv,json}', extensions: ['csv'] })).hits.map(
          ({ path }) => path,
        ),
      ).toEqual(['data/orders.csv']);
    });

    it('takes folders alone, counts beyond its limit and refuses both ways at once', async () => {
      expect(
        (await sandbox.client.files.find({ ...find, pattern: 's*', kind: 'directory' })).hits.map(({ path }) => path),
      ).toContain('src');
      expect(await sandbox.client.files.find({ ...find, pattern: '**/*.ts', limit: 1 })).toMatchObject({
        hits: [{}],
        total: 4,
      });
      await expect(sandbox.client.files.find({ ...find, pattern: 'a', query: 'b' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
      await expect(sandbox.client.files.find({ ...find, pattern: 'a[' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });

    it('knows the nearest paths', async () => {
      expect((await sandbox.client.files.nearest('src/crt.ts'))[0]).toBe('src/cart.ts');
      expect((await sandbox.client.files.nearest('cart.ts'))[0]).toBe('src/cart.ts');
      expect(await sandbox.client.files.nearest('nothing-like-it-at-all')).toEqual([]);
    });
  });
}
