import { defineTool, type GrepResult } from '@oneslot/core';
import { z } from 'zod';

const contentBytes = 24_000;

export default defineTool({
  name: 'grep_files',
  family: 'search',
  description:
    'Searches file contents by regular expression (ripgrep syntax); ignored, binary and files above 20 MiB are skipped. ' +
    'output "content" groups hits by file as "line:text" (context as "line-text"), "files" lists paths newest first, ' +
    '"count" gives "n path". Use it instead of grep in run_command. Set fixed for plain text such as "total(".',
  capabilities: ['read_only', 'sandboxable'],
  parallel: true,
  load: 'resident',
  timeoutMs: 20_000,
  input: z.strictObject({
    pattern: z.string().min(1).max(1000).describe('Regular expression, or plain text with fixed'),
    path: z.string().max(4096).default('.').describe('Folder or file to search'),
    glob: z
      .array(z.string().min(1).max(300))
      .max(10)
      .default([])
      .describe("Globs such as 'src/**/*.ts'; a leading ! excludes"),
    output: z.enum(['content', 'files', 'count']).default('content').describe('What to show'),
    context: z.int().min(0).max(10).default(0).describe('Lines around each hit'),
    ignore_case: z.boolean().default(false),
    fixed: z.boolean().default(false).describe('Take pattern as plain text'),
    multiline: z.boolean().default(false).describe('Let the pattern span lines'),
    all: z.boolean().default(false).describe('Include hidden and ignored files'),
    limit: z.int().min(1).max(1000).default(100).describe('Most results to show'),
    offset: z.int().min(0).default(0).describe('Results to skip'),
  }),
  approvalFor: ({ path }) => ({ paths: [path] }),
  title: ({ pattern, path }) => `search "${pattern.slice(0, 60)}"${path === '.' ? '' : ` in ${path}`}`,
  execute: async (input, { files }) => {
    const found = await files.grep({
      pattern: input.pattern,
      path: input.path,
      globs: input.glob,
      output: input.output,
      context: input.context,
      ignoreCase: input.ignore_case,
      fixed: input.fixed,
      multiline: input.multiline,
      all: input.all,
      limit: input.limit,
      offset: input.offset,
    });
    if (found.matches === 0) {
      return {
        content: `no matches for "${input.pattern}" in ${input.path}${skippedNote(found)}`,
        data: summary(found, 0),
      };
    }
    const { lines, shown } = render(found, input.output);
    return { content: [...lines, footer(found, input.offset, shown)].join('\n'), data: summary(found, shown) };
  },
});

function render(found: GrepResult, output: 'content' | 'files' | 'count'): { lines: string[]; shown: number } {
  const rows =
    output === 'content'
      ? contentRows(found)
      : found.files.map((file) => ({ text: output === 'files' ? file.path : `${file.count} ${file.path}`, hit: true }));
  const lines: string[] = [];
  let bytes = 0;
  let shown = 0;
  for (const row of rows) {
    bytes += Buffer.byteLength(row.text) + 1;
    if (bytes > contentBytes && shown > 0) break;
    lines.push(row.text);
    if (row.hit) shown++;
  }
  return { lines, shown };
}

function contentRows(found: GrepResult): { text: string; hit: boolean }[] {
  const rows: { text: string; hit: boolean }[] = [];
  let path = '';
  for (const line of found.lines) {
    if (line.path !== path) rows.push({ text: line.path, hit: false });
    path = line.path;
    rows.push({ text: `${line.line}${line.match ? ':' : '-'}${line.text}`, hit: line.match });
  }
  return rows;
}

function footer(found: GrepResult, offset: number, shown: number): string {
  const count = found.matchesExact ? String(found.matches) : '10,000+';
  const total = found.lines.length > 0 ? found.matches : found.filesMatched;
  const next = offset + shown < total ? `; next offset=${offset + shown}` : '';
  return `${count} matches in ${found.filesMatched} files; shown ${offset + 1}–${offset + shown}${next}${skippedNote(found)}`;
}

function skippedNote(found: GrepResult): string {
  return found.skipped > 0 ? `; ${found.skipped} binary or large files skipped` : '';
}

function summary(found: GrepResult, shown: number) {
  return {
    matches: found.matches,
    files_matched: found.filesMatched,
    shown,
    lines: found.lines.slice(0, 200),
    files: found.files.slice(0, 200),
  };
}
