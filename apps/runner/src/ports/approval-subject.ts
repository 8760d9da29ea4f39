import { posix } from 'node:path';
import { type Precondition, type SubjectPort, ToolError } from '@oneslot/core';
import type { SandboxClient } from '@oneslot/sandboxd';
import { askSandbox } from './agent-errors.ts';
import { workspaceKey } from './workspace-files.ts';

export type SubjectDeps = {
  open(): Promise<SandboxClient>;
  /** Workspace-relative folder the next command starts in; empty for the root. */
  directory(): string;
  imageDigest(): string;
};

/** Codes of a path that holds no bytes to bind: there is nothing there, or a folder is. */
const withoutBytes: ReadonlySet<string> = new Set(['not_found', 'is_directory', 'not_directory', 'outside_workspace']);

/** Reads what an approval binds besides the input, so that a yes holds only for the world it was given in. */
export function createSubjectPort(deps: SubjectDeps): SubjectPort {
  return {
    async describe(paths) {
      const preconditions = await Promise.all(paths.map((path) => hashOf(path, deps)));
      return {
        cwd: posix.join('/workspace', deps.directory()),
        env: [],
        imageDigest: deps.imageDigest(),
        preconditions,
      };
    },
  };
}

async function hashOf(path: string, deps: SubjectDeps): Promise<Precondition> {
  try {
    // One byte is asked for; the hash that comes along covers the whole file.
    const { sha256 } = await askSandbox(async () => (await deps.open()).files.read(path, { offset: 0, length: 1 }));
    return { path: workspaceKey(path), sha256 };
  } catch (error) {
    if (!(error instanceof ToolError) || !withoutBytes.has(error.code)) throw error;
    return { path: workspaceKey(path), sha256: null };
  }
}
