import type { CommandResult } from '../client/commands.ts';
import type { CommandRequest } from '../operations.ts';
import type { Sandbox } from './sandbox.ts';

export type Ran = CommandResult & { out: string; err: string };

/** Runs a command and reads both of its streams. */
export async function run(
  sandbox: Sandbox,
  command: string,
  request: Partial<CommandRequest> = {},
  signal?: AbortSignal,
): Promise<Ran> {
  const options = signal ? { signal } : {};
  const result = await sandbox.client.commands.run(
    { command, timeoutMs: 20_000, background: false, tty: false, ...request },
    options,
  );
  return { ...result, out: await textOf(result.stdout.read()), err: await textOf(result.stderr.read()) };
}

export async function textOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
