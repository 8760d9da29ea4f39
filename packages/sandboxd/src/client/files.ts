import { AgentError } from '../agent-error.ts';
import type {
  FileInfo,
  FileLines,
  FindRequest,
  FindResult,
  GrepRequest,
  GrepResult,
  ListRequest,
  ListResult,
} from '../operations.ts';
import type { Connection } from './connection.ts';

export type FileBytes = { path: string; bytes: Uint8Array; offset: number; sizeBytes: number; sha256: string | null };

/** The file operations of core's FileReader and FileWriter that need the sandbox; freshness is the runner's. */
export type SandboxFiles = {
  stat(path: string): Promise<FileInfo>;
  read(path: string, window?: { offset: number; length: number }): Promise<FileBytes>;
  readLines(path: string, window: { from: number; maxLines: number; maxBytes: number }): Promise<FileLines>;
  list(request: ListRequest): Promise<ListResult>;
  grep(request: GrepRequest): Promise<GrepResult>;
  find(request: FindRequest): Promise<FindResult>;
  nearest(path: string): Promise<string[]>;
  write(
    path: string,
    bytes: Uint8Array,
    options: { expectedSha256: string | null },
  ): Promise<{ path: string; sha256: string; created: boolean }>;
  mkdir(path: string): Promise<void>;
  remove(path: string, options?: { recursive: boolean }): Promise<{ files: number }>;
  move(from: string, to: string, options?: { overwrite: boolean }): Promise<void>;
};

const writeLimitBytes = 52_428_800;

export function openFiles(connection: Connection): SandboxFiles {
  return {
    stat: (path) => connection.call('files.stat', { path }),
    async read(path, window) {
      const { result, bytes } = await connection.collect('files.read', { path, ...window });
      return { ...result, bytes };
    },
    readLines: (path, window) => connection.call('files.readLines', { path, ...window }),
    list: (request) => connection.call('files.list', request),
    grep: (request) => connection.call('files.grep', request),
    find: (request) => connection.call('files.find', request),
    nearest: (path) => connection.call('files.nearest', { path }),
    async write(path, bytes, options) {
      if (bytes.length > writeLimitBytes)
        throw new AgentError('too_large', `${path} would have ${bytes.length} bytes; the limit is ${writeLimitBytes}.`);
      return connection.call('files.write', { path, sizeBytes: bytes.length, ...options }, { input: once(bytes) });
    },
    mkdir: async (path) => void (await connection.call('files.mkdir', { path })),
    remove: (path, options) => connection.call('files.remove', { path, recursive: options?.recursive ?? false }),
    move: async (from, to, options) =>
      void (await connection.call('files.move', { from, to, overwrite: options?.overwrite ?? false })),
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
