import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { AgentError } from '../agent-error.ts';
import type { FileInfo, FileLines, OperationResult } from '../operations.ts';
import {
  danglingTarget,
  followInside,
  holdParent,
  isInside,
  linkAt,
  lstatInside,
  makeParents,
  openInside,
  outside,
  type Root,
  toFileError,
  toRelative,
} from './confine.ts';
import { shownTarget } from './links.ts';
import { decodeText, detectEncoding, detectEol, splitLines } from './text.ts';

export const fileLimitBytes = 52_428_800;
/** From a file too large to hold, this much of its head is read for lines. */
const headBytes = 4_194_304;
const lineReplyBytes = 1_048_576;
/** Longer lines count as this much against `maxBytes`: whoever shows them cuts them there. */
const countedLineBytes = 2_048;

export function describeFile(path: string, stats: Stats): FileInfo {
  return { path, kind: kindOf(stats), sizeBytes: stats.size, mtimeMs: stats.mtimeMs, mode: stats.mode & 0o7777 };
}

function kindOf(stats: Stats): FileInfo['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'link' : 'other';
}

/** As `describeFile`, with where a link leads and whether that leaves the workspace. */
export function describeLink(root: Root, path: string, stats: Stats): FileInfo {
  const info = describeFile(path, stats);
  const place = holdParent(root, path);
  const held = linkAt(place.path);
  place.close();
  if (held === null)
    throw new AgentError('conflict', `"${path}" changed while it was looked at.`, { next: 'Look at it again.' });
  info.linkTarget = shownTarget(root, path, held);
  const target = danglingTarget(root, path);
  info.outside = target === null || !isInside(root, target);
  return info;
}

/** What the path names with links followed; `linkTarget` tells that it is a link. */
export function statFile(root: Root, path: string): FileInfo {
  const relative = toRelative(root, path);
  const own = lstatInside(root, relative);
  if (own === null) throw new AgentError('not_found', `"${relative}" does not exist.`);
  if (!own.isSymbolicLink()) return describeFile(relative, own);
  const link = describeLink(root, relative, own);
  if (link.outside) throw outside(relative);
  const target = lstatInside(root, followInside(root, relative));
  if (target === null) return link;
  return {
    ...describeFile(relative, target),
    ...(link.linkTarget === undefined ? {} : { linkTarget: link.linkTarget }),
  };
}

export type ReadReport = OperationResult<'files.read'> & { bytes: Buffer };

/** Bytes of a regular file; the hash covers all of it where it is not above 50 MiB. */
export function readFile(root: Root, path: string, offset?: number, length?: number): ReadReport {
  const relative = toRelative(root, path);
  return withFile(root, relative, (fd, stats) => {
    const windowed = offset !== undefined || length !== undefined;
    const start = offset ?? 0;
    if (stats.size > fileLimitBytes) {
      if (!windowed) throw tooLarge(relative, stats.size);
      const bytes = readRange(fd, start, Math.min(length ?? fileLimitBytes, fileLimitBytes));
      return { path: relative, offset: start, sizeBytes: stats.size, sha256: null, bytes };
    }
    const whole = readRange(fd, 0, fileLimitBytes + 1);
    if (whole.length > fileLimitBytes) throw tooLarge(relative, whole.length);
    const bytes = windowed ? whole.subarray(start, length === undefined ? undefined : start + length) : whole;
    return { path: relative, offset: start, sizeBytes: whole.length, sha256: hash(whole), bytes };
  });
}

export type LineWindow = { from: number; maxLines: number; maxBytes: number };

export function readLines(root: Root, path: string, window: LineWindow): FileLines {
  const relative = toRelative(root, path);
  return withFile(root, relative, (fd, stats) => {
    const whole = stats.size <= fileLimitBytes;
    const bytes = readRange(fd, 0, whole ? fileLimitBytes : headBytes);
    const encoding = detectEncoding(bytes);
    if (encoding === null)
      throw new AgentError('binary_file', `"${relative}" is binary data (${stats.size} bytes), no text.`, {
        data: { sizeBytes: stats.size },
      });
    const text = decodeText(bytes, encoding);
    const all = splitLines(text);
    // The head of a larger file ends amid a line; that piece is not a line.
    if (!whole) all.pop();
    const lines = takeLines(all, window);
    return {
      path: relative,
      lines,
      from: window.from,
      to: window.from + lines.length - 1,
      totalLines: whole ? all.length : null,
      sizeBytes: stats.size,
      sha256: whole ? hash(bytes) : null,
      encoding,
      eol: detectEol(text),
    };
  });
}

/** Whole lines that fit; always one, so that reading on gets somewhere. */
function takeLines(all: string[], { from, maxLines, maxBytes }: LineWindow): string[] {
  const lines: string[] = [];
  let counted = 0;
  let real = 0;
  for (const line of all.slice(from - 1, from - 1 + maxLines)) {
    const bytes = Buffer.byteLength(line) + 1;
    counted += Math.min(bytes, countedLineBytes);
    real += bytes;
    if (lines.length > 0 && (counted > maxBytes || real > lineReplyBytes)) break;
    lines.push(line);
  }
  return lines;
}

export type Expected = string | null;

/** Replaces or creates a file in one step: bytes beside it, then a rename. Mode bits stay. */
export function writeFile(
  root: Root,
  path: string,
  bytes: Uint8Array,
  expected: Expected,
): OperationResult<'files.write'> {
  const relative = followInside(root, toRelative(root, path));
  if (relative === '.') throw new AgentError('is_directory', 'The workspace itself is a folder.');
  if (expected === null) makeParents(root, relative);
  const former = checkExpected(root, relative, expected);
  const place = holdParent(root, relative);
  const temporary = `${place.parent}/.oneslot-${randomBytes(12).toString('hex')}.tmp`;
  try {
    writeWhole(temporary, bytes, former === null ? 0o644 : former.mode & 0o777);
    renameSync(temporary, place.path);
  } catch (error) {
    removeQuietly(temporary);
    throw toFileError(error, relative);
  } finally {
    place.close();
  }
  return { path: relative, sha256: hash(bytes), created: former === null };
}

function checkExpected(root: Root, relative: string, expected: Expected): Stats | null {
  const stats = lstatInside(root, relative);
  if (stats === null) {
    if (expected !== null)
      throw new AgentError('stale_file', `"${relative}" is gone since it was read.`, {
        next: `Write it as a new file, or read its folder again.`,
      });
    return null;
  }
  if (stats.isDirectory()) throw new AgentError('is_directory', `"${relative}" is a folder.`);
  if (!stats.isFile()) throw new AgentError('invalid_input', `"${relative}" is no regular file.`);
  if (expected === null)
    throw new AgentError('conflict', `"${relative}" exists already.`, {
      next: `Call read_file with path "${relative}" first.`,
    });
  const now = readFile(root, relative).sha256;
  if (now !== expected)
    throw new AgentError('stale_file', `"${relative}" changed since it was read.`, {
      next: `Call read_file with path "${relative}" again.`,
    });
  return stats;
}

function writeWhole(path: string, bytes: Uint8Array, mode: number): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

function removeQuietly(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) unlinkSync(path);
}

function withFile<T>(root: Root, relative: string, use: (fd: number, stats: Stats) => T): T {
  const fd = openInside(root, relative, constants.O_RDONLY);
  try {
    const stats = fstatSync(fd);
    if (stats.isDirectory())
      throw new AgentError('is_directory', `"${relative}" is a folder.`, {
        next: `Call list_dir with path "${relative}".`,
      });
    if (!stats.isFile()) throw new AgentError('invalid_input', `"${relative}" is no regular file.`);
    return use(fd, stats);
  } finally {
    closeSync(fd);
  }
}

/** Reads until `length` or the end; what the size says is not trusted, a file may grow. */
function readRange(fd: number, offset: number, length: number): Buffer {
  const size = Math.max(0, Math.min(length, fstatSync(fd).size - offset));
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const read = readSync(fd, bytes, filled, size - filled, offset + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

export function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function tooLarge(relative: string, size: number): AgentError {
  return new AgentError('too_large', `"${relative}" has ${size} bytes; at most ${fileLimitBytes} are read at once.`, {
    data: { sizeBytes: size },
  });
}
