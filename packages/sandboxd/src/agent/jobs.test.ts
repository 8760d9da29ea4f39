import { describe, expect, it } from 'vitest';
import type { CommandRequest } from '../operations.ts';
import type { Job } from './job.ts';
import { JobTable } from './jobs.ts';
import type { CallContext } from './server-call.ts';

const limitBytes = 67_108_864;
const call: CallContext = {
  id: 1,
  signal: new AbortController().signal,
  input: (async function* () {})(),
  write: async () => undefined,
  show: () => undefined,
};
const request: CommandRequest = { command: 'flood', timeoutMs: 1, background: false, tty: false };

/** A table whose commands print so much at once and then run until they are killed. */
function tableOf(printedBytes: number) {
  const killed: string[] = [];
  const start = (job: Job) => {
    job.append('stdout', Buffer.alloc(printedBytes));
    return {
      kill: async (first: NodeJS.Signals) => {
        killed.push(first);
        job.finish({ exitCode: null, signal: first, cwd: null, lingering: false });
      },
      signal: () => undefined,
      ports: () => [],
    };
  };
  return { table: new JobTable(start, { enter: () => '.', leave: () => '.' }), killed };
}

describe('a command at its limit', () => {
  it('ends when it printed more than is kept', async () => {
    const { table, killed } = tableOf(limitBytes + 1);
    expect(await table.run(request, call)).toMatchObject({
      state: 'exited',
      signal: 'SIGTERM',
      stdoutBytes: limitBytes,
      droppedBytes: 1,
    });
    expect(killed).toEqual(['SIGTERM']);
  });

  it('goes on in the background when all it printed is kept', async () => {
    const { table, killed } = tableOf(limitBytes);
    expect(await table.run(request, call)).toMatchObject({
      state: 'running',
      stdoutBytes: limitBytes,
      droppedBytes: 0,
    });
    expect(table.list()).toMatchObject([{ command: 'flood', state: 'running' }]);
    expect(killed).toEqual([]);
  });
});
