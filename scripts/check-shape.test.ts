import { describe, expect, test } from 'vitest';
import { checkActs } from './check/acts.ts';
import { checkDependencies } from './check/dependencies.ts';
import { checkDocPaths } from './check/doc-paths.ts';
import { checkErrorsDoc } from './check/errors-doc.ts';
import { checkSize } from './check/size.ts';
import { checkWords } from './check/words.ts';

const lines = (count: number, text = '  work();'): string => Array.from({ length: count }, () => text).join('\n');

describe('checkSize', () => {
  test('refuses a file above 300 lines, but no test, table or data file', () => {
    const long = lines(301, '// x');
    expect(checkSize('packages/a/src/b.ts', long, [])).toHaveLength(1);
    expect(checkSize('packages/a/src/b.test.ts', long, [])).toEqual([]);
    expect(checkSize('packages/a/src/b.ts', long, ['packages/a/src/b.ts'])).toEqual([]);
    expect(checkSize('packages/a/src/b.json', long, [])).toEqual([]);
  });

  test('refuses a function above 40 lines of its own', () => {
    expect(checkSize('a/b.ts', `function f() {\n${lines(39)}\n}`, [])[0]).toContain('a/b.ts:1: a function of 41 lines');
    expect(checkSize('a/b.ts', `const f = () => {\n${lines(38)}\n};`, [])).toEqual([]);
  });

  test('counts a function inside another one by itself', () => {
    const inner = `  const g = () => {\n${lines(30)}\n  };`;
    expect(checkSize('a/b.ts', `function f() {\n${inner}\n${lines(20)}\n}`, [])).toEqual([]);
  });

  test('does not count the markup of a component', () => {
    expect(
      checkSize('a/b.tsx', `const Page = () => {\n  return (\n    <p>\n${lines(60, 'text')}\n    </p>\n  );\n};`, []),
    ).toEqual([]);
  });
});

describe('checkActs', () => {
  const act = {
    act: 'batch',
    function: 'batchPlans',
    file: 'packages/core/src/batch.ts',
    caller: 'packages/core/src/dispatch.ts',
  };
  const home = ['packages/core/src/batch.ts', 'export function batchPlans() {}'] as const;
  const caller = ['packages/core/src/dispatch.ts', 'export function dispatchCalls() { batchPlans(); }'] as const;
  const check = (...files: (readonly [string, string])[]): string[] => checkActs(new Map(files), [act]);

  test('accepts one caller, and any number of tests', () => {
    expect(check(home, caller, ['packages/core/src/batch.test.ts', 'batchPlans();'])).toEqual([]);
  });

  test.each([
    [
      'a second function of the same file',
      [home, [caller[0], `${caller[1]}\nfunction other() { batchPlans(); }`]],
      'has 2 callers',
    ],
    [
      'a caller elsewhere',
      [home, caller, ['apps/runner/src/x.ts', 'const x = () => batchPlans();']],
      'only packages/core/src/dispatch.ts',
    ],
    ['no caller', [home], 'nobody calls'],
    ['no file', [caller], 'should stand here'],
    ['another name', [[home[0], 'export function other() {}'], caller], 'does not export'],
  ] as const)('refuses %s', (_what, files, words) => {
    expect(check(...files).join()).toContain(words);
  });
});

describe('checkDocPaths', () => {
  const exists = (path: string): boolean => path === 'docs/errors.md' || path === 'packages/core';

  test('accepts what exists and what is no path', () => {
    expect(
      checkDocPaths(
        'docs/a.md',
        'See `packages/core/`, [errors](errors.md#codes), `packages/<name>`, [site](https://x.org).',
        exists,
      ),
    ).toEqual([]);
  });

  test('refuses a path in code marks and a link that are gone', () => {
    expect(checkDocPaths('docs/a.md', 'x\nSee `packages/gone/b.ts:12` and [b](b.md).', exists)).toEqual([
      'docs/a.md:2: names packages/gone/b.ts, which does not exist',
      'docs/a.md:2: names docs/b.md, which does not exist',
    ]);
  });
});

describe('checkErrorsDoc', () => {
  const codes = { not_found: 'Nothing there.', timeout: 'Too slow.' };
  const rows = '| `not_found` | Nothing there. | Look again. |\n| `timeout` | Too slow. | Do less. |';

  test('accepts the same table', () => {
    expect(checkErrorsDoc(rows, codes)).toEqual([]);
  });

  test.each([
    ['a missing code', rows.split('\n')[0] ?? '', 'timeout is missing'],
    ['other words', rows.replace('Too slow.', 'Slow.'), 'errors.ts says "Too slow."'],
    ['a code nobody has', `${rows}\n| \`gone\` | A. | B. |`, 'gone is not a code'],
    ['another order', rows.split('\n').reverse().join('\n'), 'order'],
  ])('refuses %s', (_what, doc, words) => {
    expect(checkErrorsDoc(doc, codes).join()).toContain(words);
  });
});

describe('checkWords', () => {
  test('refuses a default export where nobody asks for one', () => {
    expect(checkWords('packages/core/src/a.ts', 'export default 1;')).toHaveLength(1);
    expect(checkWords('packages/tools/src/files/read-file.ts', 'export default 1;')).toEqual([]);
    expect(checkWords('apps/web/src/app/page.tsx', 'export default 1;')).toEqual([]);
  });

  test('refuses a note to oneself in a comment, not in data', () => {
    const note = `TO${'DO'}`;
    expect(checkWords('a.ts', `x(); // ${note} later`)).toHaveLength(1);
    expect(checkWords('a.ts', `grep('${note}')`)).toEqual([]);
  });
});

describe('checkDependencies', () => {
  const check = (version: string): string[] => {
    const manifest = JSON.stringify({ dependencies: { zod: version, '@oneslot/core': 'workspace:*' } });
    return checkDependencies(new Map([['apps/x/package.json', manifest]]), '| `zod` | MIT |');
  };

  test('accepts an exact version with a line', () => {
    expect(check('4.6.7')).toEqual([]);
    expect(check('catalog:')).toEqual([]);
  });

  test('refuses a range, and a package without a line', () => {
    expect(check('^4.6.7').join()).toContain('not one exact version');
    const manifest = JSON.stringify({ devDependencies: { lodash: '4.17.21' } });
    expect(checkDependencies(new Map([['package.json', manifest]]), '').join()).toContain('lodash has no line');
  });
});
