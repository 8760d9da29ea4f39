import { readlinkSync, symlinkSync } from 'node:fs';
import { posix } from 'node:path';
import { type CpOptions, type FileContent, type FsStat, type MkdirOptions, ReadWriteFs } from 'just-bash';
import { danglingTarget, holdParent, isInside, type Place, type Root } from '../agent/confine.ts';
import { shownTarget, storedTarget } from '../agent/links.ts';
import { AgentError } from '../agent-error.ts';

const readLimitBytes = 67_108_864;
type WriteOptions = Parameters<ReadWriteFs['writeFile']>[2];

/**
 * A folder of the host in the shell's file system. Links are written and read as the file tools do it: the library
 * would write the host's own path into one, and follow one that should lead out to a place of that name inside.
 */
export class MountedFolder extends ReadWriteFs {
  readonly #root: Root;

  constructor(root: Root) {
    super({ root: root.path, allowSymlinks: true, maxFileReadSize: readLimitBytes });
    this.#root = root;
  }

  override async symlink(target: string, linkPath: string): Promise<void> {
    this.#hold('symlink', linkPath, (place, relative) =>
      symlinkSync(storedTarget(this.#root, relative, target), place.path),
    );
  }

  override async readlink(path: string): Promise<string> {
    return this.#hold('readlink', path, (place, relative) =>
      shownTarget(this.#root, relative, readlinkSync(place.path)),
    );
  }

  /** A link that leads nowhere is told as itself: `rm` and `mv` ask this way and would else leave it for ever. */
  override async stat(path: string): Promise<FsStat> {
    try {
      return await super.stat(path);
    } catch (error) {
      const own = await super.lstat(path);
      if (own.isSymbolicLink) return own;
      throw error;
    }
  }

  override async writeFile(path: string, content: FileContent, options?: WriteOptions): Promise<void> {
    this.#refuseOutside('open', path);
    return super.writeFile(path, content, options);
  }

  override async appendFile(path: string, content: FileContent, options?: WriteOptions): Promise<void> {
    this.#refuseOutside('open', path);
    return super.appendFile(path, content, options);
  }

  override async mkdir(path: string, options?: MkdirOptions): Promise<void> {
    this.#refuseOutside('mkdir', path);
    return super.mkdir(path, options);
  }

  override async cp(from: string, to: string, options?: CpOptions): Promise<void> {
    this.#refuseOutside('cp', to);
    return super.cp(from, to, options);
  }

  override async mv(from: string, to: string): Promise<void> {
    this.#refuseOutside('mv', posix.dirname(to));
    return super.mv(from, to);
  }

  override async link(from: string, to: string): Promise<void> {
    this.#refuseOutside('link', posix.dirname(to));
    return super.link(from, to);
  }

  #hold<T>(action: string, path: string, use: (place: Place, relative: string) => T): T {
    const relative = posix.relative('/', path) || '.';
    try {
      const place = holdParent(this.#root, relative);
      try {
        return use(place, relative);
      } finally {
        place.close();
      }
    } catch (error) {
      throw toShellError(error, `${action} '${path}'`);
    }
  }

  /** A link that would leave leads to nothing, and nothing must be made where it seems to lead. */
  #refuseOutside(action: string, path: string): void {
    const target = danglingTarget(this.#root, posix.relative('/', path) || '.');
    if (target !== null && !isInside(this.#root, target))
      throw new Error(`EACCES: permission denied, ${action} '${path}'`);
  }
}

const reasons: Record<string, string> = {
  EEXIST: 'file already exists',
  EINVAL: 'invalid argument',
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
};
const codes: Record<string, string> = { not_found: 'ENOENT', not_directory: 'ENOTDIR', outside_workspace: 'EACCES' };

/** In the library's form, from which its programs make their messages; the system's own text names host paths. */
function toShellError(error: unknown, what: string): Error {
  const code = error instanceof AgentError ? codes[error.code] : codeOf(error);
  if (code === undefined && !(error instanceof AgentError)) return error instanceof Error ? error : new Error(what);
  return new Error(`${code ?? 'EIO'}: ${reasons[code ?? ''] ?? 'it failed'}, ${what}`, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
