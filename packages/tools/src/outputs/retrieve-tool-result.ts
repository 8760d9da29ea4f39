import { defineTool, retrieveOutput, ToolError } from '@oneslot/core';
import { z } from 'zod';

export default defineTool({
  name: 'retrieve_tool_result',
  family: 'outputs',
  description:
    'Reads a stored output by its ref. The ref alone brings back what was cut away, from its first byte. Modes: lines ' +
    '(numbered, from start_line), head, tail, bytes (from offset), search (regular expression), json (a path), summary, info. ' +
    'Shows at most 24,000 bytes; "next:" names the following part while more remains.',
  capabilities: ['read_only'],
  uses: ['outputs', 'summaries'],
  parallel: true,
  load: 'resident',
  timeoutMs: 10_000,
  input: z.strictObject({
    ref: z.string().min(1).max(64).describe('Ref such as out_…, as a pointer named it'),
    mode: z
      .enum(['lines', 'head', 'tail', 'bytes', 'search', 'summary', 'json', 'info'])
      .optional()
      .describe('Default lines'),
    start_line: z.int().min(1).optional().describe('First line, 1-based; default: where the text was cut'),
    offset: z.int().min(0).optional().describe('First byte, from 0'),
    max_lines: z.int().min(1).max(2000).default(200).describe('Most lines to show'),
    pattern: z.string().min(1).max(500).optional().describe('Regular expression for search'),
    ignore_case: z.boolean().default(false),
    context: z.int().min(0).max(5).default(1).describe('Lines around each hit'),
    limit: z.int().min(1).max(100).default(20).describe('Most hits to show'),
    path: z.string().min(1).max(500).optional().describe('For json, e.g. $.items[0:20], $.items.length()'),
  }),
  validate: ({ mode, pattern }) => {
    if (mode !== 'search' || pattern !== undefined) return;
    throw new ToolError('invalid_input', 'mode search needs a pattern.', { next: 'Set pattern, e.g. "error".' });
  },
  title: ({ ref, mode }) => `read ${ref}${mode === undefined ? '' : ` (${mode})`}`,
  execute: ({ start_line, max_lines, ignore_case, ...rest }, { outputs, summaries }) => {
    const request = { ...rest, startLine: start_line, maxLines: max_lines, ignoreCase: ignore_case };
    return retrieveOutput(request, outputs, summaries);
  },
});
