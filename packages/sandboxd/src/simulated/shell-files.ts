import { InMemoryFs, MountableFs } from 'just-bash';
import { openRoot, workspaceName } from '../agent/confine.ts';
import { MountedFolder } from './mounted-folder.ts';

/** What the shell sees: the workspace, a temporary folder, and otherwise an empty machine that forgets. */
export function createShellFiles(workspace: string, temporary: string): MountableFs {
  const base = new InMemoryFs({
    '/etc/hostname': 'sandbox\n',
    '/etc/os-release': 'NAME="Oneslot simulated sandbox"\nID=oneslot\n',
  });
  return new MountableFs({
    base,
    mounts: [
      { mountPoint: workspaceName, filesystem: mount(workspace, workspaceName) },
      { mountPoint: '/tmp', filesystem: mount(temporary, '/tmp') },
    ],
  });
}

function mount(folder: string, name: string): MountedFolder {
  return new MountedFolder(openRoot(folder, { name, linksStayInside: true }));
}
