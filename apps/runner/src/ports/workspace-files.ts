import { posix } from 'node:path';
import type { FileWriter, GitReader, Seen } from '@oneslot/core';
import type { SandboxClient } from '@oneslot/sandboxd';
import { askSandbox } from './agent-errors.ts';

export type WorkspaceDeps = {
  /** Starts the sandbox on first use; later calls answer at once. */
  open(): Promise<SandboxClient>;
  /** What this session last saw of each file, by workspace-relative path. */
  seen: Map<string, Seen>;
  onWritten(path: string): void;
};

/** The workspace of one session. Paths are confined by the agent; freshness is kept here, because it is the session's. */
export function createWorkspaceFiles(deps: WorkspaceDeps): FileWriter {
  const { open, seen } = deps;
  return {
    stat: (path) => askSandbox(async () => (await open()).files.stat(path)),
    read: (path, window) => askSandbox(async () => (await open()).files.read(path, window)),
    readLines: (path, window) => askSandbox(async () => (await open()).files.readLines(path, window)),
    list: (request) => askSandbox(async () => (await open()).files.list(request)),
    grep: (request) => askSandbox(async () => (await open()).files.grep(request)),
    find: (request) => askSandbox(async () => (await open()).files.find(request)),
    nearest: (path) => askSandbox(async () => (await open()).files.nearest(path)),
    seen: async (path) => seen.get(workspaceKey(path)) ?? null,
    markSeen: async (path, what) => void seen.set(workspaceKey(path), what),
    async write(path, bytes, options) {
      const written = await askSandbox(async () => (await open()).files.write(path, bytes, options));
      deps.onWritten(written.path);
      return written;
    },
  };
}

export function createWorkspaceGit(open: WorkspaceDeps['open']): GitReader {
  return { run: (args) => askSandbox(async () => (await open()).git.run(args)) };
}

/** One key for every way to write a path: `./a`, `/workspace/a` and `a` are one file. */
export function workspaceKey(path: string): string {
  return posix.relative('/workspace', posix.resolve('/workspace', path));
}
