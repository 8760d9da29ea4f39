import { posix } from 'node:path';
import { InMemoryFs, MountableFs, ReadWriteFs } from 'just-bash';

const workspaceMount = '/workspace';
const readLimitBytes = 67_108_864;

/** An absolute link below the mount would be read from the folder's own root; relative it means the same everywhere. */
class MountedFolder extends ReadWriteFs {
  readonly #mount: string;

  constructor(root: string, mount: string) {
    super({ root, allowSymlinks: true, maxFileReadSize: readLimitBytes });
    this.#mount = mount;
  }

  override symlink(target: string, linkPath: string): Promise<void> {
    const inside = target === this.#mount || target.startsWith(`${this.#mount}/`);
    return super.symlink(
      inside ? posix.relative(posix.dirname(posix.join(this.#mount, linkPath)), target) || '.' : target,
      linkPath,
    );
  }
}

/** What the shell sees: the workspace, a temporary folder, and otherwise an empty machine that forgets. */
export function createShellFiles(workspace: string, temporary: string): MountableFs {
  const base = new InMemoryFs({
    '/etc/hostname': 'sandbox\n',
    '/etc/os-release': 'NAME="Oneslot simulated sandbox"\nID=oneslot\n',
  });
  return new MountableFs({
    base,
    mounts: [
      { mountPoint: workspaceMount, filesystem: new MountedFolder(workspace, workspaceMount) },
      { mountPoint: '/tmp', filesystem: new MountedFolder(temporary, '/tmp') },
    ],
  });
}
