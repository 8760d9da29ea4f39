import { expect, it } from 'vitest';
import { toolSpec, wireDispatcher } from '../../test/wire-dispatcher.ts';
import { fakePolicy } from '../testing/index.ts';

const never = new AbortController().signal;

it.each([
  ['builtin', 0],
  ['extension:other', 1],
  ['mcp:other', 1],
] as const)('a tool of the source %s with a listed name asks %i times', async (source, asked) => {
  const tests = toolSpec({
    name: 'run_tests',
    source,
    capabilities: new Set(['executes_code']),
    approvalFor: () => ({ level: 'auto', readOnly: true }),
    execute: async () => 'green',
  });
  const policy = () => fakePolicy({ loweringList: new Set(['run_tests']) });
  const { dispatcher, deps } = wireDispatcher([tests], { policy });
  const call = { callId: 'c1', name: 'run_tests', argumentsText: '{}' };
  expect(await dispatcher.dispatch([call], 'complete', never)).toMatchObject([{ ok: true }]);
  expect(deps.approvals).toMatchObject({ requests: { length: asked } });
});
