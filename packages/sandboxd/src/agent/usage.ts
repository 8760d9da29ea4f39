import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { OperationResult } from '../operations.ts';
import { lstatInside, type Root } from './confine.ts';
import { walk } from './walk.ts';

const anyDepth = 128;
const entryLimit = 200_000;
const memoryFiles = ['/sys/fs/cgroup/memory.current', '/sys/fs/cgroup/memory/memory.usage_in_bytes'];

/** What the sandbox uses; null where it cannot be told. */
export async function measureUsage(root: Root, processes: number): Promise<OperationResult<'usage'>> {
  const disk = await statfs(root.path);
  return {
    workspaceBytes: await workspaceBytes(root),
    freeBytes: disk.bavail * disk.bsize,
    processes,
    memoryBytes: readMemory(),
  };
}

async function workspaceBytes(root: Root): Promise<number | null> {
  let bytes = 0;
  let entries = 0;
  for await (const entry of walk(root, '.', { all: true, depth: anyDepth }, new AbortController().signal)) {
    entries += 1;
    if (entries > entryLimit) return null;
    if (entry.kind === 'file') bytes += lstatInside(root, entry.path)?.size ?? 0;
  }
  return bytes;
}

function readMemory(): number | null {
  for (const file of memoryFiles) {
    try {
      return Number.parseInt(readFileSync(file, 'utf8'), 10);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }
  return null;
}
