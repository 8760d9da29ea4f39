import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readImportGraph } from './check/import-graph.ts';
import { checkLayers, findIdleEntries, type LayerRules } from './check/layers.ts';
import { listFiles } from './check/source-files.ts';

const rules: LayerRules = {
  tests: ['vitest', 'scripts/has.ts'],
  layers: [
    { path: 'packages/core/src', imports: ['packages/core/src/*'] },
    { path: 'packages/core/src/contract', imports: ['zod'] },
    { path: 'packages/core/src/repair', imports: ['packages/core/src/contract'] },
    { path: 'packages/core/src/output', imports: ['packages/core/src/contract'] },
    { path: 'packages/tools/src', imports: ['@oneslot/core', 'zod'] },
    { path: 'apps/web/src', imports: ['react'], typesOnly: ['@oneslot/runner/router'] },
    { path: 'scripts', imports: ['node:*'] },
  ],
};

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

function problemsOf(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'oneslot-layers-'));
  roots.push(root);
  const all = { 'packages/core/package.json': '{"name":"@oneslot/core","exports":{".":"./src/index.ts"}}', ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkLayers(readImportGraph(root, listFiles(root, /\.tsx?$/)), rules);
}

const contract = { 'packages/core/src/contract/tool.ts': "import { z } from 'zod';" };

describe('checkLayers', () => {
  test('accepts what the rules allow', () => {
    expect(
      problemsOf({
        ...contract,
        'packages/core/src/repair/climb.ts': "import type { Tool } from '../contract/tool.ts';",
        'packages/core/src/index.ts': "export { climb } from './repair/climb.ts';",
        'packages/tools/src/files/read-file.ts': "import { defineTool } from '@oneslot/core';",
        'apps/web/src/page.tsx':
          "import type { AppRouter } from '@oneslot/runner/router';\nimport { use } from 'react';",
      }),
    ).toEqual([]);
  });

  test.each([
    ['a neighbouring act', 'packages/core/src/repair/climb.ts', "import { cut } from '../output/cut-output.ts';"],
    ['an act by a re-export', 'packages/core/src/repair/climb.ts', "export { cut } from '../output/cut-output.ts';"],
    [
      'an act by a dynamic import',
      'packages/core/src/repair/climb.ts',
      "const cut = await import('../output/cut-output.ts');",
    ],
    [
      'an act by an import type',
      'packages/core/src/repair/climb.ts',
      "type Cut = import('../output/cut-output.ts').Cut;",
    ],
    ['the disk', 'packages/tools/src/files/read-file.ts', "import { readFileSync } from 'node:fs';"],
    ['a package nobody listed', 'packages/core/src/contract/other.ts', "import lodash from 'lodash';"],
    [
      'another package by path',
      'packages/tools/src/files/read-file.ts',
      "import { x } from '../../../core/src/contract/tool.ts';",
    ],
    [
      'a value where only types may come',
      'apps/web/src/page.tsx',
      "import { appRouter } from '@oneslot/runner/router';",
    ],
    ['a test library outside a test', 'packages/core/src/repair/climb.ts', "import { test } from 'vitest';"],
  ])('refuses %s', (_what, path, text) => {
    const problems = problemsOf({ ...contract, 'packages/core/src/output/cut-output.ts': '', [path]: text });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${path}:1`);
  });

  test('refuses a circle and names every file of it', () => {
    const problems = problemsOf({
      'packages/core/src/contract/a.ts': "import { b } from './b.ts';",
      'packages/core/src/contract/b.ts': "import type { c } from './c.ts';",
      'packages/core/src/contract/c.ts': "import { a } from './a.ts';",
    });
    expect(problems).toHaveLength(1);
    for (const name of ['a.ts', 'b.ts', 'c.ts']) expect(problems[0]).toContain(`contract/${name}`);
  });

  test('refuses a file that no layer covers', () => {
    expect(problemsOf({ 'apps/other/src/main.ts': '' })).toEqual([
      'apps/other/src/main.ts: no entry of layers.json covers it',
    ]);
  });

  test('lets a test set up together what its package may not tie together', () => {
    expect(
      problemsOf({
        'packages/core/src/output/cut-output.ts': '',
        'packages/core/src/repair/climb.test.ts':
          "import { cut } from '../output/cut-output.ts';\nimport { test } from 'vitest';",
      }),
    ).toEqual([]);
  });

  test('a package is not all of its parts', () => {
    const files = {
      ...contract,
      'packages/core/package.json':
        '{"name":"@oneslot/core","exports":{".":"./src/index.ts","./testing":"./src/t.ts"}}',
      'packages/tools/src/files/read.ts': "import { fake } from '@oneslot/core/testing';",
    };
    expect(problemsOf(files)).toEqual([
      'packages/tools/src/files/read.ts:1: packages/tools/src may not import @oneslot/core/testing (as a value)',
    ]);
  });
});

test('a flat entry leaves folders below it to their own', () => {
  const layers = [{ path: 'a', imports: [], isFlat: true }];
  expect(
    checkLayers(
      new Map([
        ['a/x.ts', []],
        ['a/new/y.ts', []],
      ]),
      { layers, tests: [] },
    ),
  ).toEqual(['a/new/y.ts: no entry of layers.json covers it']);
});

test('rights that nobody uses are named', () => {
  const graph = new Map([
    ['a/x.ts', [{ specifier: 'zod', target: null, typeOnly: false, line: 1 }]],
  ]) satisfies Parameters<typeof findIdleEntries>[0];
  const layers = [
    { path: 'a', imports: ['zod', 'node:*'], typesOnly: ['b'] },
    { path: 'b', imports: [] },
  ];
  expect(findIdleEntries(graph, { layers, tests: [] })).toEqual([
    'layers.json: nothing in a imports node:*',
    'layers.json: nothing in a imports b',
    'layers.json: no file belongs to b',
  ]);
});
