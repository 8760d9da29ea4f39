import { defineTool, ToolError } from '@oneslot/core';
import { z } from 'zod';
import { describeProcess } from './lib/describe-process.ts';

export default defineTool({
  name: 'command_stop',
  family: 'shell',
  description:
    'Ends a background command together with everything it started. signal term asks first and kills after a moment; ' +
    'int is Ctrl-C; kill ends it at once. Returns "id · exit · age · last line" for each.',
  capabilities: ['sandboxable'],
  uses: ['processes'],
  timeoutMs: 10_000,
  input: z.strictObject({
    process_id: z.string().min(1).max(64).optional().describe('Id such as p_ab12'),
    all: z.boolean().default(false).describe('End every background command of this session'),
    signal: z.enum(['int', 'term', 'kill']).default('term'),
  }),
  validate: ({ process_id, all }) => {
    if ((process_id !== undefined) !== all) return;
    throw new ToolError('invalid_input', 'Give either process_id or all.', {
      next: 'command_poll without arguments lists the ids.',
    });
  },
  title: ({ process_id }) => `stop ${process_id ?? 'all background commands'}`,
  execute: async (input, { processes }) => {
    const wanted =
      input.process_id === undefined
        ? (await processes.list()).filter((one) => one.state === 'running').map((one) => one.processId)
        : [input.process_id];
    if (wanted.length === 0) return { content: 'no background command is running', data: { stopped: [] } };
    const stopped = await Promise.all(wanted.map((id) => processes.stop(id, input.signal)));
    return { content: stopped.map(describeProcess).join('\n'), data: { stopped } };
  },
});
