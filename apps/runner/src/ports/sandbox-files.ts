import { HostError, wholeCharacters } from '@oneslot/core';
import { AgentError, type SandboxClient } from '@oneslot/sandboxd';
import type { ChosenEngine } from '../sandbox/choose-engine.ts';
import type { SessionSandboxes } from '../sandbox/session-sandboxes.ts';
import type { FileText, RunnerServices } from '../services.ts';

/** What the files panel shows of one file at most; the archive brings the rest. */
const shownBytes = 1024 * 1024;
const shownEntries = 2_000;

/** Files of a session as people see them: no approval and no freshness, because nobody but they look. */
export function createSandboxFiles(sandboxes: SessionSandboxes, engine: ChosenEngine): RunnerServices['sandboxes'] {
  const ask = <T>(sessionId: string, operation: (client: SandboxClient) => Promise<T>) =>
    asHostError(async () => operation(await sandboxes.open(sessionId)));
  return {
    describe: () => sandboxes.describe(),
    engines: async () => engine.engines,
    listFiles: (sessionId, path) =>
      ask(sessionId, async ({ files }) => {
        const { entries } = await files.list({ path, depth: 1, all: true, limit: shownEntries });
        return entries;
      }),
    readFile: (sessionId, path) => ask(sessionId, ({ files }) => readText(files, path)),
    importArchive: (sessionId, tar) => ask(sessionId, async ({ archive }) => void (await archive.import(tar))),
    exportArchive: async (sessionId) => (await asHostError(() => sandboxes.open(sessionId))).archive.export(),
    remove: (sessionId) => sandboxes.remove(sessionId),
  };
}

async function readText(files: SandboxClient['files'], path: string): Promise<FileText> {
  const { bytes, sizeBytes, sha256, ...found } = await files.read(path, { offset: 0, length: shownBytes });
  const binary = bytes.includes(0);
  const shown = bytes.length < sizeBytes ? wholeCharacters(bytes) : bytes;
  return { path: found.path, text: binary ? null : new TextDecoder().decode(shown), sizeBytes, binary, sha256 };
}

const hostCodes = {
  not_found: 'not_found',
  too_large: 'too_large',
  conflict: 'conflict',
  unavailable: 'unavailable',
  sandbox_lost: 'unavailable',
} as const;

async function asHostError<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    const known: Partial<Record<string, 'not_found' | 'too_large' | 'conflict' | 'unavailable'>> = hostCodes;
    const next = error.next === undefined ? {} : { next: error.next };
    throw new HostError(known[error.code] ?? 'invalid', error.message, { ...next, cause: error });
  }
}
