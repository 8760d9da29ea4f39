import type { OutputStream, Shell } from '@oneslot/core';
import type { SandboxClient } from '@oneslot/sandboxd';
import { askSandbox } from './agent-errors.ts';
import { workspaceKey } from './workspace-files.ts';

export type ShellDeps = {
  open(): Promise<SandboxClient>;
  /** Processes this session's agent started; stopping one's own needs no approval. */
  owned: Set<string>;
  /** Processes whose end somebody saw: their whole output is stored once. */
  ended: Set<string>;
  /** Where the last command ended, workspace-relative; empty for the root. */
  onDirectory(cwd: string): void;
};

/** Whose cursor a poll moves: people watching the same process keep their own. */
const callerId = 'agent';

export function createWorkspaceShell(deps: ShellDeps): Shell {
  const { open, owned, ended } = deps;
  return {
    async run(request, signal, onOutput) {
      const result = await askSandbox(async () => (await open()).commands.run(request, { signal, onOutput }));
      owned.add(result.processId);
      if (result.state === 'exited') ended.add(result.processId);
      deps.onDirectory(workspaceKey(result.cwd));
      return result;
    },
    list: () => askSandbox(async () => (await open()).commands.list()),
    poll: (request, signal) => askSandbox(async () => (await open()).commands.poll({ ...request, callerId }, signal)),
    stop: (processId, name) => askSandbox(async () => (await open()).commands.stop(processId, name)),
    owns: (processId) => owned.has(processId),
    whole(processId) {
      if (ended.has(processId)) return null;
      ended.add(processId);
      return (['stdout', 'stderr'] as const).map((name) => wholeStream(name, processId, open));
    },
  };
}

/** Reached when it is read: nothing is asked of the sandbox for an output that stays short. */
function wholeStream(name: OutputStream['name'], processId: string, open: ShellDeps['open']): OutputStream {
  const lost = { bytes: () => 0 };
  return {
    name,
    bytes: 0,
    async *read() {
      const [stdout, stderr] = (await open()).commands.output(processId);
      const stream = name === 'stdout' ? stdout : stderr;
      lost.bytes = () => stream.lostBytes();
      yield* stream.read();
    },
    lostBytes: () => lost.bytes(),
  };
}
