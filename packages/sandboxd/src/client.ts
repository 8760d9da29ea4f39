import type { Duplex } from 'node:stream';
import { openArchive, type SandboxArchive } from './client/archive.ts';
import { openCommands, type SandboxCommands } from './client/commands.ts';
import { Connection, type ConnectOptions } from './client/connection.ts';
import { openFiles, type SandboxFiles } from './client/files.ts';
import { openTerminal, openTunnel, type SandboxTerminal } from './client/terminal.ts';
import type { OperationArgs, OperationResult } from './operations.ts';
import type { AgentHello } from './protocol.ts';

export type SandboxUsage = OperationResult<'usage'>;
export type GitAnswer = OperationResult<'git.run'>;

/** What the runner holds of a sandbox. Every method throws AgentError; paths are workspace-relative or under /workspace. */
export type SandboxClient = {
  readonly hello: AgentHello;
  readonly files: SandboxFiles;
  readonly git: { run(args: readonly string[], signal?: AbortSignal): Promise<GitAnswer> };
  readonly commands: SandboxCommands;
  readonly archive: SandboxArchive;
  /** A shell on a PTY. @throws unavailable where the engine has none */
  terminal(options: OperationArgs<'terminal.open'>): Promise<SandboxTerminal>;
  /** Bytes to and from a port on the sandbox's loopback. @throws unavailable where the engine has none */
  tunnel(port: number): Promise<Duplex>;
  usage(): Promise<SandboxUsage>;
  /** Round trip in milliseconds. */
  ping(): Promise<number>;
  /** Ends the connection; the sandbox goes on. */
  close(): void;
};

/**
 * Greets the agent at the other end of `stream` and takes control under `epoch`.
 * @throws AgentError conflict when a higher epoch holds the agent, unavailable when its protocol differs, sandbox_lost
 */
export async function connectSandbox(stream: Duplex, options: ConnectOptions): Promise<SandboxClient> {
  const connection = new Connection(stream, options);
  const hello = await connection.handshake();
  return {
    hello,
    files: openFiles(connection),
    git: {
      run: (args, signal) =>
        connection.call('git.run', { args: [...args] }, { deadlineMs: 60_000, ...(signal ? { signal } : {}) }),
    },
    commands: openCommands(connection),
    archive: openArchive(connection),
    terminal: (size) => openTerminal(connection, hello, size),
    tunnel: (port) => openTunnel(connection, port),
    usage: () => connection.call('usage', {}),
    ping: () => connection.ping(),
    close: () => connection.close(),
  };
}
