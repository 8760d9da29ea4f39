import type { CommandReport, CommandRequest, PollRequest, PollResult, ProcessInfo } from '../operations.ts';
import type { Connection } from './connection.ts';

export type CommandStream<Name extends 'stdout' | 'stderr'> = {
  name: Name;
  bytes: number;
  read(): AsyncIterable<Uint8Array>;
};
/** As core's CommandResult; `read` streams from the sandbox, which keeps up to 64 MiB per command. */
export type CommandResult = Omit<CommandReport, 'stdoutBytes' | 'stderrBytes'> & {
  stdout: CommandStream<'stdout'>;
  stderr: CommandStream<'stderr'>;
};

export type SandboxCommands = {
  /** A command that reaches its limit goes on in the background and answers with state `running`. */
  run(
    request: CommandRequest,
    options: { signal?: AbortSignal; onOutput?(chunk: Uint8Array): void },
  ): Promise<CommandResult>;
  list(): Promise<ProcessInfo[]>;
  poll(request: PollRequest, signal?: AbortSignal): Promise<PollResult>;
  stop(processId: string, signalName: 'int' | 'term' | 'kill'): Promise<ProcessInfo>;
};

/** What the agent needs beyond a command's own limit to kill, drain and report. */
const reportMs = 10_000;

export function openCommands(connection: Connection): SandboxCommands {
  return {
    async run(request, { signal, onOutput }) {
      const { stdoutBytes, stderrBytes, ...report } = await connection.call('commands.run', request, {
        deadlineMs: request.timeoutMs + reportMs,
        onOutput: (chunk) => onOutput?.(chunk),
        ...(signal ? { signal } : {}),
      });
      const stream = <Name extends 'stdout' | 'stderr'>(name: Name, bytes: number): CommandStream<Name> => ({
        name,
        bytes,
        read: () => readOutput(connection, report.processId, name),
      });
      return { ...report, stdout: stream('stdout', stdoutBytes), stderr: stream('stderr', stderrBytes) };
    },
    list: () => connection.call('commands.list', {}),
    poll: (request, signal) =>
      connection.call('commands.poll', request, {
        deadlineMs: request.waitMs + reportMs,
        ...(signal ? { signal } : {}),
      }),
    stop: (processId, signalName) =>
      connection.call('commands.stop', { processId, signal: signalName }, { deadlineMs: 20_000 }),
  };
}

async function* readOutput(
  connection: Connection,
  processId: string,
  stream: 'stdout' | 'stderr',
): AsyncGenerator<Uint8Array> {
  const { data, result } = connection.open('commands.output', { processId, stream }, { deadlineMs: 600_000 });
  // The reader below sees the same failure; without this it would also count as unhandled.
  result.catch(() => undefined);
  yield* data;
  await result;
}
