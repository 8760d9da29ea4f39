import type { Duplex } from 'node:stream';
import { AgentError } from '../agent-error.ts';
import { ByteQueue } from '../byte-queue.ts';
import type { OperationArgs, OperationResult } from '../operations.ts';
import type { AgentHello } from '../protocol.ts';
import type { Connection } from './connection.ts';

export type SandboxTerminal = {
  output: AsyncIterable<Uint8Array>;
  write(bytes: Uint8Array): void;
  resize(columns: number, rows: number): Promise<void>;
  /** How the shell ended. */
  ended: Promise<OperationResult<'terminal.open'>>;
  close(): void;
};

const terminalMs = 86_400_000;

export async function openTerminal(
  connection: Connection,
  hello: AgentHello,
  options: OperationArgs<'terminal.open'>,
): Promise<SandboxTerminal> {
  if (!hello.features.pty) {
    throw new AgentError('unavailable', 'This sandbox has no terminal.', {
      next: 'Use run_command, or start Oneslot with Docker, which brings terminals.',
    });
  }
  const input = new ByteQueue();
  const stop = new AbortController();
  const { id, data, result } = connection.open('terminal.open', options, {
    input,
    deadlineMs: terminalMs,
    signal: stop.signal,
  });
  result.catch(() => undefined);
  return {
    output: data,
    write: (bytes) => input.push(bytes),
    resize: async (columns, rows) => void (await connection.call('terminal.resize', { terminalId: id, columns, rows })),
    ended: result,
    close: () => stop.abort(),
  };
}

export async function openTunnel(_connection: Connection, port: number): Promise<Duplex> {
  throw new AgentError('unavailable', `Port ${port} cannot be reached from outside the sandbox yet.`, {
    next: 'Use run_command with curl inside the sandbox.',
  });
}
