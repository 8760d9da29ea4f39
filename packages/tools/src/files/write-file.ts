import { defineTool, type FileWriter, ToolError } from '@oneslot/core';
import { z } from 'zod';
import { requireSeen } from './lib/freshness.ts';
import { guardParse } from './lib/parse-gate.ts';
import { countLines, decodeText, encodeText, type TextFile, withEol } from './lib/text-file.ts';
import { unifiedDiff } from './lib/unified-diff.ts';

const limitBytes = 2 * 1024 * 1024;

export default defineTool({
  name: 'write_file',
  family: 'files',
  description:
    'Creates a text file, or replaces all of it; parent folders are made. To change a part use edit_file. An existing ' +
    'file must have been read in this session. Returns "created|replaced path (n bytes, m lines)" and a diff.',
  capabilities: ['writes_files', 'sandboxable'],
  load: 'resident',
  timeoutMs: 15_000,
  input: z.strictObject({
    path: z.string().min(1).max(4096).describe('Workspace-relative path'),
    content: z.string().optional().describe('The whole new text, at most 2 MiB'),
    input_ref: z.string().min(1).max(64).optional().describe('Instead of content: ref of a stored output to write'),
    create_only: z.boolean().default(false).describe('Refuse when the file exists already'),
  }),
  inputRef: { into: 'content', limitBytes },
  validate: ({ content, input_ref }) => {
    if ((content === undefined) === (input_ref === undefined)) {
      throw new ToolError('invalid_input', 'write_file takes either content or input_ref.', {
        next: 'Set content to the whole new text, or input_ref to the ref of a stored output.',
      });
    }
    if (content === undefined) return;
    const bytes = Buffer.byteLength(content);
    if (bytes <= limitBytes) return;
    throw new ToolError('too_large', `content has ${bytes} bytes; write_file takes ${limitBytes}.`, {
      next: 'Write it in parts, or make the file with run_command.',
    });
  },
  approvalFor: ({ path }) => ({ paths: [path] }),
  title: ({ path }) => `write ${path}`,
  // Where a ref stood, its text stands in `content` by now.
  execute: async ({ path, content = '', create_only }, { files }) => {
    const old = await readOld(files, path);
    if (!old) return create(files, path, content);
    if (create_only) {
      throw new ToolError('conflict', `${path} exists already and create_only is set.`, {
        next: 'Read it with read_file and change it with edit_file, or choose another path.',
      });
    }
    await requireSeen(files, path, old.sha256);
    return replace(files, path, content, old);
  },
});

type OldFile = { file: TextFile; sha256: string };

async function readOld(files: FileWriter, path: string): Promise<OldFile | null> {
  try {
    const found = await files.read(path);
    if (found.sha256 === null)
      throw new ToolError('too_large', `${path} has ${found.sizeBytes} bytes; write_file replaces files up to 50 MiB.`);
    return { file: decodeText(path, found.bytes), sha256: found.sha256 };
  } catch (error) {
    if (error instanceof ToolError && error.code === 'not_found') return null;
    throw error;
  }
}

async function create(files: FileWriter, path: string, content: string) {
  guardParse(path, null, content);
  const written = await files.write(path, Buffer.from(content), { expectedSha256: null });
  return report(files, {
    path: written.path,
    sha256: written.sha256,
    before: '',
    after: content,
    created: true,
    warnings: [],
  });
}

async function replace(files: FileWriter, path: string, content: string, old: OldFile) {
  const after = withEol(content.replace(/^\uFEFF/, ''), old.file.eol);
  guardParse(path, old.file.text, after);
  const bytes = encodeText({ text: after, encoding: old.file.encoding });
  const written = await files.write(path, bytes, { expectedSha256: old.sha256 });
  const warnings = after === content ? [] : [`Line endings and byte order mark of ${path} were kept as they were.`];
  return report(files, {
    path: written.path,
    sha256: written.sha256,
    before: old.file.text,
    after,
    created: false,
    warnings,
  });
}

type Written = { path: string; sha256: string; before: string; after: string; created: boolean; warnings: string[] };

async function report(files: FileWriter, written: Written) {
  const { path, sha256, before, after, created, warnings } = written;
  const lines = countLines(after);
  const seen = { sha256, from: 1, to: lines, totalLines: lines };
  await files.markSeen(path, seen);
  const diff = unifiedDiff(path, before, after);
  const summary = `${created ? 'created' : 'replaced'} ${path} (${Buffer.byteLength(after)} bytes, ${lines} lines)`;
  return { content: `${summary}\n${diff}`, data: { path, sha256, diff, created, seen: [{ path, ...seen }] }, warnings };
}
