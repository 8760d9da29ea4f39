import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { AgentError, toAgentError } from '../agent-error.ts';
import type { OperationResult } from '../operations.ts';
import { holdParent, lstatInside, makeParents, openInside, type Root, toFileError, toRelative } from './confine.ts';
import { describeLink, readFile } from './files.ts';
import { storedTarget } from './links.ts';
import { makeFolder } from './manage.ts';
import type { Handlers } from './serve.ts';
import type { CallContext } from './server-call.ts';
import { blockBytes, padding, writeHeader } from './tar-format.ts';
import { readTar, type TarEntry } from './tar-reader.ts';
import { walk } from './walk.ts';

const anyDepth = 256;
const pieceBytes = 65_536;
const skippedLimit = 200;

export function createArchiveHandlers(root: Root): Pick<Handlers, 'archive.import' | 'archive.export'> {
  return {
    'archive.import': (_args, call) => importArchive(root, call.input),
    'archive.export': ({ path }, call) => exportArchive(root, path ?? '.', call),
  };
}

/** Unpacks entry by entry; one that would leave the workspace is skipped and named, the others go on. */
export async function importArchive(
  root: Root,
  source: AsyncIterable<Uint8Array>,
): Promise<OperationResult<'archive.import'>> {
  const report: OperationResult<'archive.import'> = { files: 0, bytes: 0, skipped: [] };
  for await (const entry of readTar(source)) {
    try {
      await importEntry(root, entry);
      if (entry.kind === 'file' || entry.kind === 'hard-link') report.files += 1;
      report.bytes += entry.sizeBytes;
    } catch (error) {
      const failure = toAgentError(error);
      if (failure.code === 'invalid_input' || failure.code === 'quota_exceeded' || failure.code === 'internal')
        throw failure;
      if (report.skipped.length < skippedLimit)
        report.skipped.push({ path: entry.path.slice(0, 1_000), reason: failure.message });
    }
  }
  return report;
}

async function importEntry(root: Root, entry: TarEntry): Promise<void> {
  const relative = entryPath(root, entry.path);
  if (relative === '.') return;
  if (entry.kind === 'other') throw new AgentError('unavailable', 'Devices, pipes and the like are not unpacked.');
  if (entry.kind === 'directory') return makeFolder(root, relative);
  makeParents(root, relative);
  if (lstatInside(root, relative)?.isDirectory()) throw new AgentError('is_directory', `"${relative}" is a folder.`);
  if (entry.kind === 'link')
    return placeEntry(root, relative, (path) => symlinkSync(storedTarget(root, relative, entry.linkTarget), path));
  if (entry.kind === 'hard-link') {
    const { bytes } = readFile(root, entryPath(root, entry.linkTarget));
    return placeEntry(root, relative, (path) => writeBody(path, entry.mode, one(bytes)));
  }
  return placeEntry(root, relative, (path) => writeBody(path, entry.mode, entry.body));
}

/** Tar names are relative; a leading `./` is usual, everything else that climbs is not. */
function entryPath(root: Root, path: string): string {
  if (path.startsWith('/')) throw new AgentError('outside_workspace', 'Its name is absolute.');
  if (path.split('/').includes('..')) throw new AgentError('outside_workspace', 'Its name climbs out of the archive.');
  return toRelative(root, path === '' ? '.' : path);
}

/** Writes beside the target and renames over it: a link that lies there is replaced, never written through. */
async function placeEntry(root: Root, relative: string, write: (path: string) => void | Promise<void>): Promise<void> {
  const place = holdParent(root, relative);
  const temporary = `${place.parent}/.oneslot-${randomBytes(12).toString('hex')}.tmp`;
  try {
    await write(temporary);
    renameSync(temporary, place.path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw toFileError(error, relative);
  } finally {
    place.close();
  }
}

async function writeBody(path: string, mode: number, body: AsyncIterable<Buffer>): Promise<void> {
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    for await (const bytes of body) for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fchmodSync(fd, (mode & 0o777) | 0o600);
  } finally {
    closeSync(fd);
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** A folder as tar, links as links. Waits whenever the reader does. */
async function exportArchive(root: Root, path: string, call: CallContext): Promise<OperationResult<'archive.export'>> {
  const report = { files: 0, bytes: 0 };
  const start = toRelative(root, path);
  for await (const entry of walk(root, start, { all: true, depth: anyDepth }, call.signal)) {
    const stats = lstatInside(root, entry.path);
    if (stats === null) continue;
    const header = {
      path: entry.path,
      mode: stats.mode & 0o7777,
      mtimeMs: stats.mtimeMs,
      sizeBytes: 0,
      linkTarget: '',
    };
    if (entry.kind === 'directory')
      await call.write(writeHeader({ ...header, path: `${entry.path}/`, kind: 'directory' }));
    if (entry.kind === 'link')
      await call.write(
        writeHeader({ ...header, kind: 'link', linkTarget: describeLink(root, entry.path, stats).linkTarget ?? '' }),
      );
    if (entry.kind !== 'file') continue;
    report.files += 1;
    report.bytes += await exportFile(root, { ...header, kind: 'file' as const }, call);
  }
  await call.write(Buffer.alloc(2 * blockBytes));
  return report;
}

/** The size in the header binds: a file that grows meanwhile is cut, one that shrinks is filled up. */
async function exportFile(root: Root, header: Parameters<typeof writeHeader>[0], call: CallContext): Promise<number> {
  const fd = openInside(root, header.path, constants.O_RDONLY);
  try {
    const sizeBytes = fstatSync(fd).size;
    await call.write(writeHeader({ ...header, sizeBytes }));
    const piece = Buffer.allocUnsafe(pieceBytes);
    for (let at = 0; at < sizeBytes; ) {
      const wanted = Math.min(pieceBytes, sizeBytes - at);
      const read = readSync(fd, piece, 0, wanted, at);
      if (read < wanted) piece.fill(0, read, wanted);
      // The chunk may still be queued when the next one is read.
      await call.write(Buffer.from(piece.subarray(0, wanted)));
      at += wanted;
    }
    await call.write(padding(sizeBytes));
    return sizeBytes;
  } finally {
    closeSync(fd);
  }
}
