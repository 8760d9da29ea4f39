import { defineTool, type FileWriter, type Seen, ToolError } from '@oneslot/core';
import { z } from 'zod';
import { requireLinesSeen, requireSeen } from './lib/freshness.ts';
import { guardParse } from './lib/parse-gate.ts';
import { type Edit, type Replacement, replaceText } from './lib/replace-text.ts';
import { countLines, decodeText, encodeText } from './lib/text-file.ts';
import { unifiedDiff } from './lib/unified-diff.ts';

const limitBytes = 5 * 1024 * 1024;

const edit = z.strictObject({
  old_string: z.string().min(1).describe('Text to replace, exactly as it stands in the file, without line numbers'),
  new_string: z.string().describe('Text to put there'),
  replace_all: z.boolean().default(false),
  occurrence: z.int().min(1).optional().describe('Which match to replace, 1-based'),
});

export default defineTool({
  name: 'edit_file',
  family: 'files',
  description:
    'Replaces exact text in one file: one edit (old_string, new_string), or several in order (edits), all or nothing. ' +
    'The file must have been read in this session. old_string must fit exactly one place unless replace_all or ' +
    'occurrence is set. Returns "path: k replacement(s)" and a diff.',
  capabilities: ['writes_files', 'sandboxable'],
  load: 'resident',
  timeoutMs: 15_000,
  input: z.strictObject({
    path: z.string().min(1).max(4096).describe('Workspace-relative path'),
    old_string: z
      .string()
      .optional()
      .describe('Text to replace, exactly as it stands in the file, without line numbers'),
    new_string: z.string().optional().describe('Text to put there'),
    replace_all: z.boolean().default(false).describe('Replace every match'),
    occurrence: z.int().min(1).optional().describe('Which match to replace, 1-based'),
    edits: z
      .array(edit)
      .min(1)
      .max(50)
      .optional()
      .describe('Several edits instead of one; each sees the result of those before'),
  }),
  validate: (input) => {
    for (const [index, one] of editsOf(input).entries()) checkEdit(one, input.edits ? `edits[${index}]: ` : '');
  },
  approvalFor: ({ path }) => ({ paths: [path] }),
  title: ({ path }) => `edit ${path}`,
  execute: async (input, { files }) => {
    const { path } = input;
    const found = await files.read(path);
    if (found.sizeBytes > limitBytes || found.sha256 === null) {
      throw new ToolError('too_large', `${path} has ${found.sizeBytes} bytes; edit_file takes ${limitBytes}.`, {
        next: 'Change large files with run_command, for example sed.',
      });
    }
    const file = decodeText(path, found.bytes);
    const seen = await requireSeen(files, path, found.sha256);
    const done = applyEdits(path, file.text, editsOf(input), input.edits !== undefined);
    requireStepsSeen(path, seen, file.text, done.steps);
    guardParse(path, file.text, done.text);
    const bytes = encodeText({ text: done.text, encoding: file.encoding });
    const written = await files.write(path, bytes, { expectedSha256: found.sha256 });
    return report(files, { ...written, before: file.text, ...done, seen });
  },
});

/** Lines of a step are those of the text it met; what earlier steps added or took away stands among seen lines. */
function requireStepsSeen(path: string, seen: Seen, before: string, steps: readonly Replacement[]): void {
  let text = before;
  let shift = 0;
  for (const step of steps) {
    const asRead = (line: number) => (line > seen.to + shift ? line - shift : Math.min(line, seen.to));
    requireLinesSeen(path, seen, asRead(step.lines.from), asRead(step.lines.to));
    shift += countLines(step.text) - countLines(text);
    text = step.text;
  }
}

type Edited = { path: string; sha256: string; before: string; text: string; steps: Replacement[]; seen: Seen };

async function report(files: FileWriter, { path, sha256, before, text, steps, seen }: Edited) {
  const lines = countLines(text);
  const to = seen.to >= seen.totalLines ? lines : Math.min(seen.to, lines);
  const now = { sha256, from: seen.from, to, totalLines: lines };
  await files.markSeen(path, now);
  const count = steps.reduce((sum, step) => sum + step.count, 0);
  const diff = unifiedDiff(path, before, text);
  return {
    content: `${path}: ${count} replacement${count === 1 ? '' : 's'}\n${diff}`,
    data: { path, sha256, diff, replacements: count, seen: [{ path, ...now }] },
    warnings: steps
      .filter((step) => step.tolerance !== 'exact')
      .map((step) => `Matched at line ${step.lines.from} allowing for ${step.tolerance.replaceAll('-', ' ')}.`),
  };
}

type Input = {
  old_string?: string | undefined;
  new_string?: string | undefined;
  replace_all: boolean;
  occurrence?: number | undefined;
  edits?: Edit[] | undefined;
};

/** @throws ToolError invalid_input when neither or both forms are given. */
function editsOf(input: Input): Edit[] {
  const single = input.old_string !== undefined || input.new_string !== undefined;
  if (input.edits && single)
    throw new ToolError('invalid_input', 'Both edits and old_string/new_string were given.', {
      next: 'Give one of the two.',
    });
  if (input.edits) return input.edits;
  if (input.old_string === undefined || input.new_string === undefined) {
    throw new ToolError('invalid_input', 'edit_file needs old_string and new_string, or edits.', {
      next: 'Call it with {"path": "…", "old_string": "…", "new_string": "…"}.',
    });
  }
  return [
    {
      old_string: input.old_string,
      new_string: input.new_string,
      replace_all: input.replace_all,
      occurrence: input.occurrence,
    },
  ];
}

function checkEdit(one: Edit, at: string): void {
  if (one.old_string === '')
    throw new ToolError('invalid_input', `${at}old_string is empty.`, {
      next: 'Use write_file to fill an empty file.',
    });
  if (one.old_string === one.new_string)
    throw new ToolError('invalid_input', `${at}old_string and new_string are the same.`, {
      next: 'Send the text that should be there.',
    });
  if (one.replace_all && one.occurrence !== undefined)
    throw new ToolError('invalid_input', `${at}replace_all and occurrence exclude each other.`, {
      next: 'Set one of the two.',
    });
}

function applyEdits(
  path: string,
  text: string,
  edits: readonly Edit[],
  many: boolean,
): { text: string; steps: Replacement[] } {
  const steps: Replacement[] = [];
  let current = text;
  for (const [index, one] of edits.entries()) {
    try {
      const step = replaceText(path, current, one);
      steps.push(step);
      current = step.text;
    } catch (error) {
      if (!many || !(error instanceof ToolError)) throw error;
      throw new ToolError(error.code, `edits[${index}]: ${error.message}`, {
        next: error.next ?? '',
        changed: 'nothing, all edits were dropped',
        cause: error,
      });
    }
  }
  return { text: current, steps };
}
