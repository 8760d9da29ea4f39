import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const families = [
  'files',
  'search',
  'shell',
  'git',
  'code',
  'web',
  'data',
  'planning',
  'memory',
  'agents',
  'outputs',
  'environment',
  'human',
  'discovery',
];

/** Writes a tool that works and its vectors, and returns their paths. Nothing that exists is edited. */
export function newTool(base: string, name: string): string[] {
  const [family = '', file = '', ...rest] = name.split('/');
  if (rest.length > 0 || !/^[a-z]+(-[a-z0-9]+)*$/.test(file)) {
    throw new Error(`"${name}" names no tool. Write <family>/<tool-name>, for example data/count-lines.`);
  }
  if (!families.includes(family))
    throw new Error(`There is no family "${family}". The families are ${families.join(', ')}.`);
  const path = join(base, 'packages/tools/src', family, file);
  if (existsSync(`${path}.ts`)) throw new Error(`${path}.ts exists already. Edit it, or choose another name.`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.ts`, toolText(family, file.replaceAll('-', '_')));
  writeFileSync(`${path}.cases.json`, casesText);
  return [`${path}.ts`, `${path}.cases.json`];
}

function toolText(family: string, name: string): string {
  return `import { defineTool } from '@oneslot/core';
import { z } from 'zod';

export default defineTool({
  name: '${name}',
  family: '${family}',
  description:
    'Tells the size of one text file. Use it before reading a file that may be large. ' +
    'Returns the path and its size in bytes.',
  capabilities: ['read_only'],
  parallel: true,
  input: z.strictObject({
    path: z.string().min(1).max(4096).describe('Workspace-relative path, e.g. src/cart.ts'),
  }),
  approvalFor: ({ path }) => ({ paths: [path] }),
  title: ({ path }) => \`${name} \${path}\`,
  execute: async ({ path }, { files }) => {
    const found = await files.stat(path);
    return \`\${found.path}: \${found.sizeBytes} bytes\`;
  },
});
`;
}

const casesText = `[
  {"id": "promise", "given": {}, "expected": {"capabilities": ["read_only"], "parallel": true, "load": "deferred", "timeoutMs": 30000}},
  {"id": "works", "given": {"input": {"path": "notes.txt"}}, "expected": {"ok": true, "contains": ["notes.txt: 10 bytes"]}},
  {"id": "missing", "given": {"input": {"path": "gone.txt"}}, "expected": {"ok": false, "code": "not_found"}},
  {"id": "outside", "given": {"input": {"path": "../x"}}, "expected": {"ok": false, "code": "outside_workspace"}}
]
`;
