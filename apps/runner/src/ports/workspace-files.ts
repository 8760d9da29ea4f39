import { posix } from 'node:path';
import { type FileWriter, type GitReader, type Seen, ToolError } from '@oneslot/core';
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
    stat: (path) => askAbout(open, path, (files) => files.stat(path)),
    read: (path, window) => askAbout(open, path, (files) => files.read(path, window)),
    readLines: (path, window) => askAbout(open, path, (files) => files.readLines(path, window)),
    list: (request) => askAbout(open, request.path, (files) => files.list(request)),
    grep: (request) => askAbout(open, request.path, (files) => files.grep(request)),
    find: (request) => askAbout(open, request.path, (files) => files.find(request)),
    nearest: (path) => askSandbox(async () => (await open()).files.nearest(path)),
    seen: async (path) => seen.get(workspaceKey(path)) ?? null,
    markSeen: async (path, what) => {
      const key = workspaceKey(path);
      seen.set(key, joinSeen(seen.get(key), what));
    },
    async write(path, bytes, options) {
      const written = await askAbout(open, path, (files) => files.write(path, bytes, options));
      deps.onWritten(written.path);
      return written;
    },
  };
}

export function createWorkspaceGit(open: WorkspaceDeps['open']): GitReader {
  return { run: (args) => askSandbox(async () => (await open()).git.run(args)) };
}

/** A path that is not there is answered with the names that look like it, for every tool alike. */
async function askAbout<T>(
  open: WorkspaceDeps['open'],
  path: string,
  operation: (files: SandboxClient['files']) => Promise<T>,
): Promise<T> {
  const { files } = await askSandbox(open);
  return askSandbox(() => operation(files)).catch(async (error) => {
    if (!(error instanceof ToolError) || error.code !== 'not_found') throw error;
    const near = await askSandbox(() => files.nearest(path));
    if (near.length === 0) throw error;
    throw new ToolError('not_found', error.message, { next: `Did you mean: ${near.join(', ')}?`, cause: error });
  });
}

/** Pages of one file that touch or overlap were seen as one. */
export function joinSeen(before: Seen | undefined, now: Seen): Seen {
  if (!before || before.sha256 !== now.sha256) return now;
  if (now.from > before.to + 1 || before.from > now.to + 1) return now;
  return { ...now, from: Math.min(before.from, now.from), to: Math.max(before.to, now.to) };
}

/** One key for every way to write a path: `./a`, `/workspace/a` and `a` are one file. */
export function workspaceKey(path: string): string {
  return posix.relative('/workspace', posix.resolve('/workspace', path));
}
