import type { SessionEvent } from '@oneslot/core';
import { expect, test } from 'vitest';
import { countSlot } from './count-slot.ts';

const repair = { synthesized: false, unrepaired: false, before: '', after: '', nameBefore: null };
const planned = (change: object): SessionEvent => ({
  ...{ kind: 'call-planned', callId: 'c', name: 'n', tool: 'n', title: 'n', input: {}, inputDigest: 'd' },
  ...{ level: 'auto', decision: 'run', readOnly: true, repair: null },
  ...change,
});
const finished = (code: string | null): SessionEvent => ({
  kind: 'call-finished',
  callId: 'c',
  result: {
    ...{ callId: 'c', ok: code === null, code, content: 'x', parts: [], warnings: [] },
    ...{ truncated: false, outputRef: null, untrusted: false, tookMs: 1 },
  },
});
const step = (forged: number): SessionEvent => ({
  ...{ kind: 'step-completed', step: 1, text: '', reasoning: '', calls: [], ending: 'complete' },
  forged,
});
const started: SessionEvent = {
  ...{ kind: 'step-started', turnId: 't', step: 1, prefixHash: 'h', prefixAppendOnly: true, tools: 1, requestBytes: 1 },
  modelId: 'm',
};
const short = (events: SessionEvent[]) => countSlot(events).map(({ kind, name, count }) => [kind, name, count]);

test('counts answers, calls, mends, refusals, forgeries and loops, and nothing else', () => {
  expect(short([step(2)])).toEqual([
    ['answer', '', 1],
    ['forged', '', 2],
  ]);
  expect(short([planned({})])).toEqual([['call', '', 1]]);
  expect(short([planned({ repair: { ...repair, rung: 'cleaned', nameBefore: 'N' } })])).toEqual([
    ['call', '', 1],
    ['mended', '', 1],
    ['rung', 'cleaned', 1],
    ['rung', 'name', 1],
  ]);
  expect(short([planned({ repair: { ...repair, rung: 'strict', nameBefore: 'N' } })])).toEqual([
    ['call', '', 1],
    ['mended', '', 1],
    ['rung', 'name', 1],
  ]);
  expect(short([finished(null), finished('timeout'), finished('cancelled')])).toEqual([]);
  expect(short([finished('invalid_input'), finished('loop_blocked')])).toEqual([
    ['refusal', 'invalid_input', 1],
    ['loop', '', 1],
  ]);
});

test('the model is the one of the request before, where this statement names it', () => {
  expect(countSlot([step(0), started, step(0)]).map(({ index, modelId }) => [index, modelId])).toEqual([
    [0, null],
    [2, 'm'],
  ]);
});
