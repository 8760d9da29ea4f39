import { join } from 'node:path';
import { startAgentProcess } from './agent-process.ts';
import { layOutAgent } from './bubblewrap.ts';
import type { SandboxEngine } from './engine.ts';
import { FolderEngine, workspaceOf } from './folder-engine.ts';
import type { ImageContext } from './image-context.ts';

export type LocalUnsafeOptions = { dataDir: string; context: ImageContext; nodePath: string; path: string };

/** Plain child processes with this user's rights: no wall at all. Only ever by an explicit setting. */
export function createLocalUnsafeEngine({ dataDir, context, nodePath, path }: LocalUnsafeOptions): SandboxEngine {
  const agentFolder = join(dataDir, 'agents', context.tag.replace(/^.*:/, ''));
  return new FolderEngine({
    name: 'local-unsafe',
    root: join(dataDir, 'sandboxes'),
    imageDigest: context.digest,
    capabilities: { isolation: 'none', pause: false, tty: true, limits: false, quota: false, survivesRunner: false },
    prepare: () => layOutAgent(agentFolder, context),
    launch: (folder) =>
      startAgentProcess({
        program: nodePath,
        args: [join(agentFolder, 'agent', 'sandboxd.mjs'), '--stdio', '--root', workspaceOf(folder)],
        // Not the runner's own environment: that one holds keys.
        env: { PATH: path, HOME: workspaceOf(folder), LANG: 'C.UTF-8' },
        cwd: workspaceOf(folder),
      }),
  });
}
