import type { Shell } from '@oneslot/core';
import type { SandboxClient } from '@oneslot/sandboxd';
import { askSandbox } from './agent-errors.ts';
import { workspaceKey } from './workspace-files.ts';

export type ShellDeps = {
  open(): Promise<SandboxClient>;
  /** Processes this session's agent started; stopping one's own needs no approval. */
  owned: Set<string>;
  /** Where the last command ended, workspace-relative; empty for the root. */
  onDirectory(cwd: string): void;
};

/** Whose cursor a poll moves: people watching the same process keep their own. */
const callerId = 'agent';

export function createWorkspaceShell(deps: ShellDeps): Shell {
  const { open, owned } = deps;
  return {
    async run(request, signal, onOutput) {
      const result = await askSandbox(async () => (await open()).commands.run(request, { signal, onOutput }));
      owned.add(result.processId);
      deps.onDirectory(workspaceKey(result.cwd));
      return result;
    },
    list: () => askSandbox(async () => (await open()).commands.list()),
    poll: (request, signal) => askSandbox(async () => (await open()).commands.poll({ ...request, callerId }, signal)),
    stop: (processId, name) => askSandbox(async () => (await open()).commands.stop(processId, name)),
    owns: (processId) => owned.has(processId),
  };
}
