import type { OperationResult } from '../operations.ts';
import type { Connection } from './connection.ts';

export type ArchiveReport = OperationResult<'archive.import'>;

export type SandboxArchive = {
  /** Unpacks a tar into the workspace; entries that would leave it are skipped and named. */
  import(source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<ArchiveReport>;
  /** The workspace, or one folder of it, as tar. */
  export(path?: string): AsyncIterable<Uint8Array>;
};

const transferMs = 1_800_000;

export function openArchive(connection: Connection): SandboxArchive {
  return {
    import: (source, signal) =>
      connection.call('archive.import', {}, { input: source, deadlineMs: transferMs, ...(signal ? { signal } : {}) }),
    async *export(path) {
      const { data, result } = connection.open('archive.export', path === undefined ? {} : { path }, {
        deadlineMs: transferMs,
      });
      result.catch(() => undefined);
      yield* data;
      await result;
    },
  };
}
