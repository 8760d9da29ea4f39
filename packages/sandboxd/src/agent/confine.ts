import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { posix } from 'node:path';
import { AgentError, reasonOf } from '../agent-error.ts';

/**
 * The folder nothing may leave. `path` is its real path. With `linksStayInside` no link on disk ever points outside,
 * because nothing but this code stands between the folder and the host: one that should is kept as a harmless mark.
 */
export type Root = {
  readonly path: string;
  /** How commands and tools spell it, whatever folder it really is. */
  readonly name: string;
  readonly linksStayInside: boolean;
};

export const workspaceName = '/workspace';
const pathLimitBytes = 4_096;
const linkLimit = 40;
/** Opened only to name a place, Linux's O_PATH; elsewhere a plain open does. */
const placeFlag = process.platform === 'linux' ? 0o10000000 : constants.O_RDONLY;
const fdFolder = process.platform === 'linux' ? '/proc/self/fd' : null;

/** First part of a link that stands for one that would leave; what follows is where it would lead. */
export const outsideMark = '.oneslot-outside';

export function openRoot(folder: string, options: Partial<Omit<Root, 'path'>> = {}): Root {
  return { name: workspaceName, linksStayInside: false, ...options, path: realpathSync(folder) };
}

/** Workspace-relative form with `/`; `.` is the root itself. @throws AgentError outside_workspace, invalid_input */
export function toRelative(root: Root, path: string): string {
  if (path.length === 0)
    throw new AgentError('invalid_input', 'The path is empty.', {
      next: 'Use a workspace-relative path, for example "src/main.ts", or "." for the workspace itself.',
    });
  if (path.includes('\0')) throw new AgentError('invalid_input', 'The path holds a NUL byte.');
  if (Buffer.byteLength(path) > pathLimitBytes)
    throw new AgentError('invalid_input', `The path is longer than ${pathLimitBytes} bytes.`);
  if (/^file:/i.test(path)) throw outside(path);
  let inner = path;
  if (path.startsWith('/')) {
    // Where nobody inside may know the host's name of the root, that name is no way in either.
    const names = root.linksStayInside ? [root.name] : [root.name, root.path];
    const base = names.find((candidate) => path === candidate || path.startsWith(`${candidate}/`));
    if (base === undefined) throw outside(path);
    inner = path.slice(base.length).replace(/^\/+/, '');
  }
  const normal = posix.normalize(inner === '' ? '.' : inner).replace(/\/+$/, '');
  if (normal === '..' || normal.startsWith('../') || normal.startsWith('/')) throw outside(path);
  return normal === '' ? '.' : normal;
}

export function isInside(root: Root, real: string): boolean {
  return real === root.path || real.startsWith(root.path === '/' ? '/' : `${root.path}/`);
}

export function outside(path: string): AgentError {
  return new AgentError(
    'outside_workspace',
    `"${shorten(path)}" is outside the workspace. Only ${workspaceName} can be reached.`,
    {
      next: 'Use a path inside the workspace.',
    },
  );
}

/** Real path of something that exists, links followed. @throws AgentError when it leaves the root or is not there */
export function resolveReal(root: Root, relative: string): string {
  let real: string;
  try {
    real = realpathSync.native(posix.join(root.path, relative));
  } catch (error) {
    const target = danglingTarget(root, relative);
    if (target !== null && !isInside(root, target)) throw outside(relative);
    throw toFileError(error, relative);
  }
  if (!isInside(root, real)) throw outside(relative);
  return real;
}

/**
 * Opens what `relative` names with links followed, and never anything outside: the last part is opened without
 * following, then the descriptor itself is asked where it leads, so a swapped parent is noticed.
 */
export function openInside(root: Root, relative: string, flags: number): number {
  const real = resolveReal(root, relative);
  const fd = attempt(relative, () => openSync(real, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  if (placeOf(fd, real, root)) return fd;
  closeSync(fd);
  throw outside(relative);
}

export type Place = {
  /** Path of the parent that cannot be swapped while it is held. */ parent: string;
  name: string;
  path: string;
  close(): void;
};

/** Holds the parent folder of `relative`, so that what follows happens there and nowhere else. */
export function holdParent(root: Root, relative: string): Place {
  if (relative === '.') throw new AgentError('denied_by_policy', 'The workspace itself cannot be replaced or removed.');
  const name = posix.basename(relative);
  const real = resolveReal(root, posix.dirname(relative));
  const fd = attempt(relative, () => openSync(real, placeFlag | constants.O_DIRECTORY | constants.O_NOFOLLOW));
  if (!placeOf(fd, real, root)) {
    closeSync(fd);
    throw outside(relative);
  }
  const parent = fdFolder === null ? real : `${fdFolder}/${fd}`;
  return { parent, name, path: `${parent}/${name}`, close: () => closeSync(fd) };
}

/** Makes missing parents one by one, each below a held folder. */
export function makeParents(root: Root, relative: string): void {
  const folder = posix.dirname(relative);
  if (folder === '.' || existsInside(root, folder)) return;
  makeParents(root, folder);
  const place = holdParent(root, folder);
  try {
    attempt(folder, () => mkdirSync(place.path));
  } catch (error) {
    if (!existsInside(root, folder)) throw error;
  } finally {
    place.close();
  }
}

/** Where a path that is a link to something inside finally points; the path itself when it is no link or absent. */
export function followInside(root: Root, relative: string): string {
  if (!lstatInside(root, relative)?.isSymbolicLink()) return relative;
  const target = danglingTarget(root, relative);
  if (target === null || !isInside(root, target)) throw outside(relative);
  const real = resolveReal(root, relative);
  return posix.relative(root.path, real) || '.';
}

export function lstatInside(root: Root, relative: string): Stats | null {
  if (relative === '.') return lstatSync(root.path);
  let place: Place;
  try {
    place = holdParent(root, relative);
  } catch (error) {
    if (error instanceof AgentError && (error.code === 'not_found' || error.code === 'not_directory')) return null;
    throw error;
  }
  try {
    return lstatSync(place.path, { throwIfNoEntry: false }) ?? null;
  } finally {
    place.close();
  }
}

function existsInside(root: Root, relative: string): boolean {
  try {
    resolveReal(root, relative);
    return true;
  } catch (error) {
    if (error instanceof AgentError && error.code === 'not_found') return false;
    throw error;
  }
}

/** Follows links by hand, so that one that leads to nothing is judged by where it would lead. */
export function danglingTarget(root: Root, relative: string): string | null {
  let rest = relative.split('/');
  let at = root.path;
  for (let links = 0; rest.length > 0; ) {
    const part = rest.shift() ?? '.';
    const next = posix.join(at, part);
    if (!isInside(root, next)) return next;
    const target = linkAt(next);
    if (target === null) {
      at = next;
      continue;
    }
    links += 1;
    if (links > linkLimit) return null;
    if (root.linksStayInside && target.startsWith(`${outsideMark}/`)) return '/';
    if (target.startsWith('/') && !isInside(root, target)) return target;
    const base = target.startsWith('/') ? target : posix.join(posix.dirname(next), target);
    if (!isInside(root, base)) return base;
    at = root.path;
    rest = [...posix.relative(root.path, base).split('/').filter(Boolean), ...rest];
  }
  return at;
}

/** What a link holds; null for anything else, and for what is gone by now. */
export function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (isErrno(error)) return null;
    throw error;
  }
}

function placeOf(fd: number, real: string, root: Root): boolean {
  if (fdFolder !== null) return isInside(root, readlinkSync(`${fdFolder}/${fd}`).replace(/ \(deleted\)$/, ''));
  const opened = fstatSync(fd);
  const now = lstatSync(real, { throwIfNoEntry: false });
  return (
    now !== undefined && now.ino === opened.ino && now.dev === opened.dev && isInside(root, realpathSync.native(real))
  );
}

function attempt<T>(relative: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw toFileError(error, relative);
  }
}

function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}

const errnoCodes: Record<string, { code: ConstructorParameters<typeof AgentError>[0]; why: string }> = {
  ENOENT: { code: 'not_found', why: 'does not exist' },
  ENOTDIR: { code: 'not_directory', why: 'lies below something that is no folder' },
  EISDIR: { code: 'is_directory', why: 'is a folder' },
  ENAMETOOLONG: { code: 'invalid_input', why: 'has a name that is too long' },
  ELOOP: { code: 'outside_workspace', why: 'is a link that leads nowhere' },
  EACCES: { code: 'unavailable', why: 'may not be accessed (permission denied)' },
  EPERM: { code: 'unavailable', why: 'may not be accessed (permission denied)' },
  EROFS: { code: 'unavailable', why: 'lies on a read-only file system' },
  ENOSPC: { code: 'quota_exceeded', why: 'does not fit: the disk is full' },
  EDQUOT: { code: 'quota_exceeded', why: 'does not fit: the disk quota is used up' },
  ENOTEMPTY: { code: 'is_directory', why: 'is a folder that is not empty' },
  EEXIST: { code: 'conflict', why: 'exists already' },
  EBUSY: { code: 'unavailable', why: 'is in use' },
};

/** A file system error in the words a model can act on. */
export function toFileError(error: unknown, relative: string): AgentError {
  if (error instanceof AgentError) return error;
  const known = isErrno(error) ? errnoCodes[error.code ?? ''] : undefined;
  if (!known)
    return new AgentError('internal', `"${shorten(relative)}" could not be used: ${reasonOf(error)}`, { cause: error });
  return new AgentError(known.code, `"${shorten(relative)}" ${known.why}.`, { cause: error });
}

function shorten(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path.replaceAll('\0', '\\0');
}
