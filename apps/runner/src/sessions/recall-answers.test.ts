import { digestOf, type SessionEvent } from '@oneslot/core';
import { expect, test } from 'vitest';
import { recallAnswers } from './recall-answers.ts';

const plan = (callId: string, tool = 'read_file'): SessionEvent => ({
  ...{ kind: 'call-planned', callId, name: tool, tool, title: tool, input: {}, inputDigest: `input of ${tool}` },
  ...{ level: 'auto', decision: 'run', readOnly: true, repair: null },
});
const finish = (callId: string, content: string, ok = true): SessionEvent => ({
  kind: 'call-finished',
  callId,
  result: {
    ...{ callId, ok, code: null, content, parts: [], warnings: [] },
    ...{ truncated: false, outputRef: null, untrusted: false, tookMs: 1 },
  },
});
const recall = (...events: SessionEvent[]) =>
  recallAnswers(
    events.map((event, index) => ({ sessionId: 's', seq: index + 1, at: 0, event })),
    (tool) => tool === 'read_file',
  );

test('the newest answer that was told in full is what the model has in front of it', () => {
  const answers = recall(
    ...[plan('c1'), finish('c1', 'one'), plan('c2'), finish('c2', 'two')],
    ...[plan('c3'), finish('c3', 'unchanged since last read: …'), plan('c4'), finish('c4', 'failed', false)],
    ...[plan('c5', 'list_dir'), finish('c5', 'a list')],
  );
  expect([...answers]).toEqual([['input of read_file', { callId: 'c2', contentDigest: digestOf('two') }]]);
});

test('what was taken out of the conversation is told in full again', () => {
  const dropped = (droppedItems: number): SessionEvent => ({ kind: 'compacted', reason: 'r', droppedItems });
  expect(recall(plan('c1'), finish('c1', 'one'), dropped(1)).size).toBe(0);
  expect(recall(plan('c1'), finish('c1', 'one'), dropped(0)).size).toBe(1);
});
