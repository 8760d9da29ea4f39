import type { CommandReport, CommandRequest, PollRequest, PollResult, ProcessInfo } from '../operations.ts';
import type { Connection } from './connection.ts';

export type CommandStream<Name extends 'stdout' | 'stderr'> = {
  name: Name;
  bytes: number;
  read(): AsyncIterable<Uint8Array>;
  /** Bytes the sandbox had dropped; known once `read` has ended. */
  lostBytes(): number;
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
  /** All a command printed so far; `bytes` is 0, because nobody counted. */
  output(processId: string): [CommandStream<'stdout'>, CommandStream<'stderr'>];
  stop(processId: string, signalName: 'int' | 'term' | 'kill'): Promise<ProcessInfo>;
};

/** What the agent needs beyond a command's own limit to kill, drain and report. */
const reportMs = 10_000;

export function openCommands(connection: Connection): SandboxCommands {
  const streamOf = <Name extends 'stdout' | 'stderr'>(
    processId: string,
    name: Name,
    bytes: number,
  ): CommandStream<Name> => {
    const lost = { bytes: 0 };
    return {
      name,
      bytes,
      read: () => readOutput(connection, { processId, stream: name }, lost),
      lostBytes: () => lost.bytes,
    };
  };
  return {
    async run(request, { signal, onOutput }) {
      const { stdoutBytes, stderrBytes, ...report } = await connection.call('commands.run', request, {
        deadlineMs: request.timeoutMs + reportMs,
        onOutput: (chunk) => onOutput?.(chunk),
        ...(signal ? { signal } : {}),
      });
      const { processId } = report;
      return {
        ...report,
        stdout: streamOf(processId, 'stdout', stdoutBytes),
        stderr: streamOf(processId, 'stderr', stderrBytes),
      };
    },
    list: () => connection.call('commands.list', {}),
    poll: (request, signal) =>
      connection.call('commands.poll', request, {
        deadlineMs: request.waitMs + reportMs,
        ...(signal ? { signal } : {}),
      }),
    output: (processId) => [streamOf(processId, 'stdout', 0), streamOf(processId, 'stderr', 0)],
    stop: (processId, signalName) =>
      connection.call('commands.stop', { processId, signal: signalName }, { deadlineMs: 20_000 }),
  };
}

async function* readOutput(
  connection: Connection,
  source: { processId: string; stream: 'stdout' | 'stderr' },
  lost: { bytes: number },
): AsyncGenerator<Uint8Array> {
  const { data, result } = connection.open('commands.output', source, { deadlineMs: 600_000 });
  // The reader below sees the same failure; without this it would also count as unhandled.
  result.catch(() => undefined);
  yield* data;
  lost.bytes = (await result).droppedBytes;
}
