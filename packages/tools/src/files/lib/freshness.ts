import { type FileReader, type Seen, ToolError } from '@oneslot/core';

/** The whole file counts as seen when all its lines were, or when it is short enough to be kept in mind. */
const shortFileLines = 2_000;

/** @throws ToolError stale_file when the session never read the file or its bytes changed since. */
export async function requireSeen(files: FileReader, path: string, sha256: string): Promise<Seen> {
  const seen = await files.seen(path);
  if (!seen) {
    throw new ToolError('stale_file', `${path} was not read yet in this session.`, {
      next: `Call read_file {"path": ${JSON.stringify(path)}} first.`,
    });
  }
  if (seen.sha256 !== sha256) {
    throw new ToolError('stale_file', `${path} changed since it was last read.`, {
      next: `Call read_file {"path": ${JSON.stringify(path)}} again and base the change on what it shows.`,
    });
  }
  return seen;
}

/** @throws ToolError stale_file when lines [from, to] were never shown and the file is too long to be known whole. */
export function requireLinesSeen(path: string, seen: Seen, from: number, to: number): void {
  if (seen.totalLines <= shortFileLines || (seen.from <= from && seen.to >= to)) return;
  throw new ToolError(
    'stale_file',
    `Lines ${from}–${to} of ${path} were not read yet; lines ${seen.from}–${seen.to} were.`,
    {
      next: `Call read_file {"path": ${JSON.stringify(path)}, "start_line": ${from}} first.`,
    },
  );
}
