import { afterAll, beforeAll, describe } from 'vitest';
import type { SandboxClient } from '../client.ts';
import { describeArchives } from './contract-archives.ts';
import { describeCommands } from './contract-commands.ts';
import { describeFiles } from './contract-files.ts';
import { describePaths } from './contract-paths.ts';
import { describeProcesses, describeTerminals } from './contract-processes.ts';
import { describeSearch } from './contract-search.ts';
import type { Sandbox } from './sandbox.ts';
import { shop } from './shop.ts';
import { tarOf } from './tar-of.ts';

export { shop } from './shop.ts';
export { type TreeEntry, tarOf } from './tar-of.ts';

export type ContractSubject = {
  name: string;
  /** A sandbox with an empty workspace. */
  open(): Promise<{ client: SandboxClient; close(): Promise<void> }>;
  /** Commands are processes of a real system, with groups, signals and ports. */
  processes: boolean;
  /** It has terminals; as `processes` unless said. */
  terminals?: boolean;
};

/** What every engine's sandbox must do: the same cases for all of them. */
export function describeSandbox(subject: ContractSubject): void {
  describe(`sandbox: ${subject.name}`, { timeout: 30_000 }, () => {
    let opened: Awaited<ReturnType<ContractSubject['open']>> | null = null;
    const sandbox: Sandbox = {
      get client() {
        if (opened === null) throw new Error('The sandbox is not open.');
        return opened.client;
      },
    };
    beforeAll(async () => {
      opened = await subject.open();
      await sandbox.client.archive.import(tarOf(shop));
    }, 120_000);
    afterAll(async () => {
      await opened?.close();
    }, 30_000);
    describeFiles(sandbox);
    describePaths(sandbox);
    describeSearch(sandbox);
    describeArchives(sandbox);
    describeCommands(sandbox);
    if (subject.processes) describeProcesses(sandbox);
    if (subject.terminals ?? subject.processes) describeTerminals(sandbox);
  });
}
