import { defineTool, ToolError } from '@oneslot/core';
import { z } from 'zod';

const contentBytes = 24_000;
const lineChars = 2_000;

export default defineTool({
  name: 'read_file',
  family: 'files',
  description:
    'Reads one text file. Use it instead of cat, head, tail or sed in run_command. Returns a header line ' +
    '"path · lines a–b of n · encoding · line ending", then each line as number, tab, text. At most 24,000 bytes a ' +
    'call and 2,000 characters a line; when more remains the last line says "next: start_line=K".',
  capabilities: ['read_only', 'sandboxable'],
  parallel: true,
  tellsUnchanged: true,
  load: 'resident',
  timeoutMs: 15_000,
  input: z.strictObject({
    path: z.string().min(1).max(4096).describe('Workspace-relative path, e.g. src/cart.ts'),
    start_line: z.int().min(1).default(1).describe('First line to show, 1-based'),
    max_lines: z.int().min(1).max(2000).default(500).describe('Most lines to show'),
  }),
  approvalFor: ({ path }) => ({ paths: [path] }),
  title: ({ path, start_line }) => (start_line > 1 ? `read ${path} from line ${start_line}` : `read ${path}`),
  execute: async ({ path, start_line, max_lines }, { files }) => {
    const window = { from: start_line, maxLines: max_lines, maxBytes: contentBytes };
    const found = await files.readLines(path, window).catch((error) => Promise.reject(withNearest(error)));
    const total = found.totalLines;
    if (found.lines.length === 0) {
      const content =
        total === 0
          ? `${found.path} is empty.`
          : `no lines at start_line=${start_line}; file has ${total ?? 'fewer'} lines`;
      return {
        content,
        data: { path: found.path, sha256: found.sha256, total_lines: total, from: 0, to: 0, next: null },
      };
    }
    const { shown, to } = numberLines(found.lines, start_line);
    const more = total === null ? found.lines.length > shown.length || found.lines.length === max_lines : to < total;
    const header = `${found.path} · lines ${start_line}–${to} of ${total ?? 'many'} · ${found.encoding} · ${found.eol}`;
    const seen =
      found.sha256 === null || total === null
        ? null
        : { sha256: found.sha256, from: start_line, to, totalLines: total };
    if (seen) await files.markSeen(found.path, seen);
    return {
      content: [header, ...shown, ...(more ? [`next: start_line=${to + 1}`] : [])].join('\n'),
      data: {
        path: found.path,
        sha256: found.sha256,
        total_lines: total,
        from: start_line,
        to,
        next: more ? to + 1 : null,
        seen: seen ? [{ path: found.path, ...seen }] : [],
      },
    };
  },
});

/** Numbers lines until the byte budget is used; at least one line is shown, however long. */
function numberLines(lines: readonly string[], from: number): { shown: string[]; to: number } {
  const shown: string[] = [];
  let bytes = 200; // room for the header and the last line
  for (const [index, line] of lines.entries()) {
    const text = `${from + index}\t${cutLine(line)}`;
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > contentBytes && shown.length > 0) break;
    shown.push(text);
  }
  return { shown, to: from + shown.length - 1 };
}

function cutLine(line: string): string {
  if (line.length <= lineChars) return line;
  // Never leave half of a surrogate pair behind.
  const end = /[\uD800-\uDBFF]/.test(line[lineChars - 1] ?? '') ? lineChars - 1 : lineChars;
  return `${line.slice(0, end)}… (${line.length - end} more characters in this line)`;
}

function withNearest(error: unknown): unknown {
  if (!(error instanceof ToolError) || error.code !== 'is_directory') return error;
  return new ToolError('is_directory', error.message, { next: 'Call list_dir with this path.', cause: error });
}
