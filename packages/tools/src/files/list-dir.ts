import { defineTool, type FileInfo } from '@oneslot/core';
import { z } from 'zod';

export default defineTool({
  name: 'list_dir',
  family: 'files',
  description:
    'Lists a folder as an indented tree: folders first as "name/", files with their size, links as "name -> target". ' +
    'Ignored and hidden entries are left out and counted. To find files by name use find_files.',
  capabilities: ['read_only', 'sandboxable'],
  parallel: true,
  load: 'resident',
  timeoutMs: 15_000,
  input: z.strictObject({
    path: z.string().max(4096).default('.').describe('Workspace-relative folder'),
    depth: z.int().min(1).max(5).default(1).describe('How many levels to show'),
    all: z.boolean().default(false).describe('Include hidden and ignored entries'),
    limit: z.int().min(1).max(500).default(200).describe('Most entries to show'),
  }),
  approvalFor: ({ path }) => ({ paths: [path] }),
  title: ({ path }) => `list ${path}`,
  execute: async ({ path, depth, all, limit }, { files }) => {
    const { entries, hidden, stopped } = await files.list({ path, depth, all, limit });
    const base = commonDepth(path);
    const lines = entries.map((entry) => `${'  '.repeat(entry.path.split('/').length - 1 - base)}${describe(entry)}`);
    const last = stopped
      ? 'stopped at limit; narrow path'
      : `${entries.length} entries, ${hidden} hidden by ignore rules`;
    return { content: [...lines, last].join('\n'), data: { entries, hidden, stopped } };
  },
});

function commonDepth(path: string): number {
  const clean = path
    .replace(/^\/workspace\/?/, '')
    .replace(/^\.\/?/, '')
    .replace(/\/+$/, '');
  return clean === '' ? 0 : clean.split('/').length;
}

function describe(entry: FileInfo): string {
  const name = entry.path.split('/').at(-1) ?? entry.path;
  if (entry.kind === 'directory') return `${name}/`;
  if (entry.kind === 'link') return `${name} -> ${entry.linkTarget ?? '?'}${entry.outside ? ' (outside)' : ''}`;
  return `${name}  ${formatBytes(entry.sizeBytes)}`;
}

function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
