import { defineTool, ToolError } from '@oneslot/core';
import { z } from 'zod';

export default defineTool({
  name: 'find_files',
  family: 'search',
  description:
    'Finds files by name: pattern is a glob (e.g. "**/*.ts"), query a fuzzy name (e.g. "crt" finds src/cart.ts); give one ' +
    'of the two. Returns one workspace-relative path per line and "n of m". To search contents use grep_files.',
  capabilities: ['read_only', 'sandboxable'],
  parallel: true,
  load: 'resident',
  timeoutMs: 20_000,
  input: z.strictObject({
    pattern: z.string().min(1).max(500).optional().describe("Glob pattern (e.g. '*.md', 'src/**/*.ts')"),
    query: z.string().min(1).max(200).optional().describe('Part of a name, letters in order'),
    path: z.string().max(4096).default('.').describe('Folder to search'),
    extensions: z.array(z.string().min(1).max(20)).max(20).default([]).describe('Only these endings, e.g. ["ts"]'),
    kind: z.enum(['file', 'dir', 'any']).default('file'),
    sort: z.enum(['score', 'mtime', 'path']).optional().describe('Default: score for query, mtime for pattern'),
    all: z.boolean().default(false).describe('Include hidden and ignored entries'),
    limit: z.int().min(1).max(500).default(50).describe('Most paths to return'),
  }),
  validate: ({ pattern, query }) => {
    if ((pattern === undefined) !== (query === undefined)) return;
    throw new ToolError(
      'invalid_input',
      pattern === undefined ? 'Neither pattern nor query was given.' : 'Both pattern and query were given.',
      {
        next: 'Call find_files with {"pattern": "**/*.ts"} or with {"query": "cart"}.',
      },
    );
  },
  approvalFor: ({ path }) => ({ paths: [path] }),
  title: ({ pattern, query }) => `find ${pattern ?? query ?? ''}`,
  execute: async (input, { files }) => {
    const { hits, total } = await files.find({
      ...(input.pattern === undefined ? {} : { pattern: input.pattern }),
      ...(input.query === undefined ? {} : { query: input.query }),
      path: input.path,
      extensions: input.extensions.map((extension) => extension.replace(/^\./, '')),
      kind: input.kind === 'dir' ? 'directory' : input.kind,
      sort: input.sort ?? (input.query === undefined ? 'mtime' : 'score'),
      all: input.all,
      limit: input.limit,
    });
    const data = {
      hits: hits.map(({ path, sizeBytes, mtimeMs, score }) => ({ path, size: sizeBytes, mtime: mtimeMs, score })),
      total,
    };
    if (hits.length === 0) return { content: `no files match ${input.pattern ?? input.query} in ${input.path}`, data };
    return { content: [...hits.map((hit) => hit.path), `${hits.length} of ${total}`].join('\n'), data };
  },
});
