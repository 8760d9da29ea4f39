import type { ToolDispatcher } from '@oneslot/core';
import { expect, test } from 'vitest';
import { awaitSandbox } from './await-sandbox.ts';

function fake() {
  const seen: string[] = [];
  const dispatcher: ToolDispatcher = {
    metadata: () => [],
    dispatch: async (calls) => {
      seen.push(`dispatch ${calls.length}`);
      return [];
    },
    startEarly: (call) => void seen.push(`early ${call.callId}`),
    discardEarly: () => undefined,
    beginTurn: () => undefined,
    halted: () => null,
  };
  return { seen, dispatcher };
}
const call = { callId: 'c', name: 'read_file', argumentsText: '{}' };

test('calls wait until the sandbox is there, and nothing starts early before', async () => {
  const { seen, dispatcher } = fake();
  const gate = Promise.withResolvers<boolean>();
  const waiting = awaitSandbox(dispatcher, { ready: () => gate.promise });
  const signal = new AbortController().signal;
  waiting.startEarly(call, signal);
  const done = waiting.dispatch([call], 'complete', signal);
  expect(seen).toEqual([]);
  gate.resolve(true);
  await done;
  waiting.startEarly(call, signal);
  expect(seen).toEqual(['dispatch 1', 'early c']);
});

test('a stop ends the waiting; the pipeline then says what became of the calls', async () => {
  const { seen, dispatcher } = fake();
  const controller = new AbortController();
  const waiting = awaitSandbox(dispatcher, { ready: () => new Promise(() => {}) });
  const done = waiting.dispatch([call], 'complete', controller.signal);
  controller.abort();
  await done;
  expect(seen).toEqual(['dispatch 1']);
});
