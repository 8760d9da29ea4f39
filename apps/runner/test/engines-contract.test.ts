import { type ContractSubject, describeSandbox } from '@oneslot/sandboxd/testing';
import { describe } from 'vitest';
import { has } from '../../../scripts/has.ts';
import type { SandboxEngine } from '../src/sandbox/engine.ts';
import { createSessionSandboxes } from '../src/sandbox/session-sandboxes.ts';
import { dockerEngine, makeEngine, memoryRows } from './engines-fixture.ts';

/** The cases of every sandbox, reached the way a session reaches its own. */
function subjectOf(name: string, processes: boolean, make: () => Promise<SandboxEngine>): ContractSubject {
  return {
    name,
    processes,
    async open() {
      const sandboxes = createSessionSandboxes({
        engine: await make(),
        reason: 'test',
        store: memoryRows(),
        onChange: () => undefined,
        poolSize: 0,
      });
      const client = await sandboxes.open('contract');
      return {
        client,
        async close() {
          await sandboxes.remove('contract');
          await sandboxes.close();
        },
      };
    },
  };
}

const folderEngine = (name: 'bubblewrap' | 'simulated') => async () => (await makeEngine(name)).engine;

describe.runIf(has('docker'))('docker', () => describeSandbox(subjectOf('docker', true, () => dockerEngine())));
describe.runIf(has('bubblewrap'))('bubblewrap', () =>
  describeSandbox(subjectOf('bubblewrap', true, folderEngine('bubblewrap'))),
);
describe('simulated', () => describeSandbox(subjectOf('simulated', false, folderEngine('simulated'))));
