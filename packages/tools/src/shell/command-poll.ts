import { defineTool, type ProcessInfo, ToolError } from '@oneslot/core';
import { z } from 'zod';
import { describeOutput, describeProcess, describeState } from './lib/describe-process.ts';

export default defineTool({
  name: 'command_poll',
  family: 'shell',
  description:
    'Shows what a background command printed since your last poll, and whether it ended. Waits up to wait_ms for output, ' +
    'for the exit, or for a pattern. Without process_id it lists all commands as "id · state · age · last line · ports".',
  capabilities: ['read_only'],
  uses: ['processes'],
  parallel: true,
  pollable: true,
  load: 'resident',
  timeoutMs: 130_000,
  input: z.strictObject({
    process_id: z.string().min(1).max(64).optional().describe('Id such as p_ab12; absent lists all'),
    wait_ms: z.int().min(0).max(120_000).default(10_000).describe('Longest wait in milliseconds'),
    until: z.enum(['exit', 'output', 'match']).default('output').describe('What to wait for'),
    pattern: z.string().min(1).max(500).optional().describe('Regular expression for until=match'),
    from_start: z.boolean().default(false).describe('Show all output kept, not only the new part'),
  }),
  validate: ({ until, pattern }) => {
    if (until !== 'match') return;
    if (pattern === undefined)
      throw new ToolError('invalid_input', 'until=match needs a pattern.', {
        next: 'Set pattern, e.g. "listening on".',
      });
    try {
      new RegExp(pattern);
    } catch (cause) {
      throw new ToolError('invalid_input', `pattern ${JSON.stringify(pattern)} is no regular expression.`, {
        next: 'Escape special characters with a backslash.',
        cause,
      });
    }
  },
  title: ({ process_id }) => (process_id === undefined ? 'list background commands' : `poll ${process_id}`),
  execute: async (input, { processes, signal }) => {
    if (input.process_id === undefined) return list(await processes.list());
    const poll = await processes.poll(
      {
        processId: input.process_id,
        waitMs: input.wait_ms,
        until: input.until,
        fromStart: input.from_start,
        ...(input.pattern === undefined ? {} : { pattern: input.pattern }),
      },
      signal,
    );
    const whole = poll.state === 'exited' ? processes.whole(poll.processId) : null;
    return {
      content: `${describeState(poll)}\n${describeOutput(poll)}`,
      running: poll.state === 'running',
      ...(whole === null ? {} : { whole }),
      data: {
        end_seen: poll.state === 'exited',
        process_id: poll.processId,
        status: poll.state,
        exit_code: poll.exitCode,
        listening_ports: poll.listeningPorts,
      },
    };
  },
});

function list(all: ProcessInfo[]) {
  if (all.length === 0) return { content: 'no background commands in this session', data: { processes: [] } };
  return { content: all.map(describeProcess).join('\n'), data: { processes: all } };
}
