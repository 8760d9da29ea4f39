import { describe, expect, test } from 'vitest';
import type { SessionEvent, StoredEvent } from '../../trpc/types.ts';
import { groupItems } from './group-items.ts';
import { addPending, failPending, keepQueued } from './pending-messages.ts';
import { reduceEvents } from './reduce-events.ts';
import { type CallItem, emptyView, type SessionView } from './view-model.ts';

const store = (events: SessionEvent[], first = 1): StoredEvent[] =>
  events.map((event, index) => ({ sessionId: 's1', seq: first + index, at: 1_000 + (first + index) * 100, event }));
const fold = (events: SessionEvent[]): SessionView => reduceEvents(emptyView, store(events));

const result = (callId: string, more: object = {}) => ({
  callId,
  ok: true,
  code: null,
  content: 'ok',
  parts: [],
  warnings: [],
  truncated: false,
  outputRef: null,
  untrusted: false,
  tookMs: 5,
  ...more,
});
const planned = (callId: string): SessionEvent => ({
  kind: 'call-planned',
  callId,
  name: 'read_file',
  tool: 'read_file',
  title: 'read a.ts',
  input: { path: 'a.ts' },
  inputDigest: 'd',
  level: 'auto',
  decision: 'run',
  readOnly: true,
  repair: null,
});
const started = (callId: string): SessionEvent => ({ kind: 'call-started', callId, early: false });
const finished = (callId: string, more?: object): SessionEvent => ({
  kind: 'call-finished',
  callId,
  result: result(callId, more),
  state: 'done',
});
const approval: SessionEvent = {
  kind: 'approval-required',
  approvalId: 'p1',
  callId: 'c1',
  tool: 'run_command',
  title: 'npm test',
  level: 'required',
  reason: 'Runs code.',
  digest: 'x',
  canonicalText: '{}',
  input: {},
  scopeWords: null,
  scopeExamples: [],
  deadline: 9_999_999,
};
const turn: SessionEvent[] = [
  { kind: 'message-added', messageId: 'm1', text: 'hi', by: 'u1' },
  { kind: 'turn-started', turnId: 't1', modelId: 'tour', resumed: false },
  { kind: 'step-started', turnId: 't1', step: 1, prefixHash: 'h', prefixAppendOnly: true, tools: 3, requestBytes: 10 },
];
const completed: SessionEvent = {
  kind: 'step-completed',
  step: 1,
  text: 'Let me read.',
  reasoning: '',
  calls: [{ callId: 'c1', name: 'read_file', argumentsText: '{"path":"a.ts"}' }],
  ending: 'complete',
  forged: 0,
};
const callOf = (view: SessionView, id = 'c1'): CallItem => {
  const call = view.items.find((item) => item.kind === 'call' && item.id === id);
  if (call?.kind !== 'call') throw new Error(`no call ${id}`);
  return call;
};

describe('reduceEvents', () => {
  test('streams text, then takes the complete message', () => {
    const streaming = fold([
      ...turn,
      { kind: 'text-appended', step: 1, text: 'Let ' },
      { kind: 'text-appended', step: 1, text: 'me' },
    ]);
    expect(streaming.items.at(-1)).toMatchObject({ kind: 'step', text: 'Let me', state: 'streaming' });
    const whole = reduceEvents(streaming, store([completed], 6));
    expect(whole.items.find((item) => item.kind === 'step')).toMatchObject({ text: 'Let me read.', state: 'complete' });
    expect(callOf(whole)).toMatchObject({ state: 'drafted', argumentsText: '{"path":"a.ts"}' });
  });

  test('is idempotent by sequence number', () => {
    const events = store([...turn, { kind: 'text-appended', step: 1, text: 'once' }]);
    const once = reduceEvents(emptyView, events);
    expect(reduceEvents(once, events)).toBe(once);
    expect(reduceEvents(emptyView, [...events, ...events])).toEqual(once);
  });

  test('in one go or one by one, the view is the same', () => {
    const events = store([...turn, completed, planned('c1'), approval, started('c1'), finished('c1')]);
    const oneByOne = events.reduce((view, stored) => reduceEvents(view, [stored]), emptyView);
    expect(oneByOne).toEqual(reduceEvents(emptyView, events));
  });

  test('a discarded stream leaves neither text nor calls, only the reason', () => {
    const view = fold([
      ...turn,
      { kind: 'text-appended', step: 1, text: 'half' },
      planned('c1'),
      { kind: 'step-discarded', step: 1, reason: 'cut' },
    ]);
    expect(view.items.map((item) => item.kind)).toEqual(['message', 'mark']);
  });

  test('an early start comes before the complete message and keeps its state', () => {
    const view = fold([...turn, planned('c1'), started('c1'), completed, finished('c1')]);
    expect(view.items.filter((item) => item.kind === 'call')).toHaveLength(1);
    expect(callOf(view)).toMatchObject({ state: 'done', argumentsText: '{"path":"a.ts"}' });
  });

  test('approval waits, is decided, and is not confused with an older one', () => {
    const waiting = fold([...turn, completed, planned('c1'), approval]);
    expect(callOf(waiting).state).toBe('waiting');
    const decided = (approvalId: string): SessionEvent => ({
      kind: 'approval-decided',
      approvalId,
      callId: 'c1',
      decision: 'approved',
      scope: 'once',
      by: 'u1',
      reason: null,
    });
    expect(callOf(reduceEvents(waiting, store([decided('older')], 7))).approval?.decided).toBeNull();
    expect(callOf(reduceEvents(waiting, store([decided('p1')], 7))).approval?.decided?.decision).toBe('approved');
  });

  test.each(['done', 'failed', 'unknown'] as const)('a call ends as the runner says: %s', (state) => {
    const end = { ...finished('c1'), state } as SessionEvent;
    expect(callOf(fold([...turn, completed, planned('c1'), started('c1'), end])).state).toBe(state);
  });

  test('a step asked again after a restart starts over', () => {
    const view = fold([
      ...turn,
      { kind: 'text-appended', step: 1, text: 'dead' },
      { kind: 'turn-started', turnId: 't1', modelId: 'tour', resumed: true },
      {
        kind: 'step-started',
        turnId: 't1',
        step: 1,
        prefixHash: 'h',
        prefixAppendOnly: true,
        tools: 3,
        requestBytes: 10,
      },
      { kind: 'text-appended', step: 1, text: 'alive' },
    ]);
    expect(view.items.filter((item) => item.kind === 'step').map((item) => item.text)).toEqual(['alive']);
  });

  test('counts usage and follows the session', () => {
    const view = fold([
      { kind: 'session-created', title: 'New', mode: 'agent', modelId: null },
      { kind: 'session-changed', title: 'Named', status: 'running' },
      { kind: 'usage-recorded', modelId: 'm', inputTokens: 5, cachedTokens: 1, outputTokens: 2 },
      { kind: 'usage-recorded', modelId: 'm', inputTokens: 5, cachedTokens: 4, outputTokens: 2 },
      { kind: 'files-changed', paths: ['a'] },
    ]);
    expect(view).toMatchObject({ title: 'Named', mode: 'agent', status: 'running', filesVersion: 1 });
    expect(view.usage).toEqual({ inputTokens: 10, cachedTokens: 5, outputTokens: 4 });
  });

  test('events of a kind this page does not know change nothing but the place', () => {
    const strange = JSON.parse('{"kind":"from-the-future"}') as SessionEvent;
    expect(fold([strange])).toEqual({ ...emptyView, lastSeq: 1 });
  });
});

describe('messages on their way', () => {
  test('disappear when the runner has them', () => {
    const sending = addPending(emptyView, 'm1', 'hi');
    expect(sending.pending).toHaveLength(1);
    const queued = reduceEvents(sending, store([{ kind: 'message-queued', messageId: 'm1', text: 'hi', by: 'u1' }]));
    expect(queued).toMatchObject({ pending: [], queued: [{ messageId: 'm1', text: 'hi' }] });
    const added = reduceEvents(queued, store([{ kind: 'message-added', messageId: 'm1', text: 'hi', by: 'u1' }], 2));
    expect(added).toMatchObject({ queued: [], items: [{ kind: 'message', id: 'm1' }] });
    expect(addPending(added, 'm1', 'hi')).toBe(added);
  });

  test('leave the queue when the runner has them no more', () => {
    const queue = (messageId: string): SessionEvent => ({ kind: 'message-queued', messageId, text: 'x', by: 'u1' });
    const view = fold([queue('m1'), queue('m2'), { kind: 'session-changed', by: 'u1' }, queue('m3')]);
    expect(view.changeVersion).toBe(1);
    expect(keepQueued(view, ['m1', 'm2'], ['m2']).queued.map((one) => one.messageId)).toEqual(['m2', 'm3']);
    expect(keepQueued(view, ['m1'], ['m1'])).toBe(view);
  });

  test('say why they failed', () => {
    expect(failPending(addPending(emptyView, 'm1', 'hi'), 'm1', 'offline').pending[0]).toMatchObject({
      state: 'failed',
      error: 'offline',
    });
  });
});

describe('groupItems', () => {
  test('joins calls that ran at the same time', () => {
    const two = {
      ...completed,
      calls: ['c1', 'c2', 'c3'].map((callId) => ({ callId, name: 'read_file', argumentsText: '' })),
    };
    const view = fold([
      ...turn,
      two,
      started('c1'),
      started('c2'),
      finished('c1'),
      finished('c2'),
      started('c3'),
      finished('c3'),
    ]);
    expect(groupItems(view.items).map((item) => item.kind)).toEqual(['message', 'step', 'batch', 'call']);
  });
});

describe('requests to the model', () => {
  const step = (number: number, prefixAppendOnly: boolean): SessionEvent => ({
    kind: 'step-started',
    turnId: 't1',
    step: number,
    prefixHash: '3:aa/bb/1:cc',
    prefixAppendOnly,
    tools: 3,
    requestBytes: 2_048,
  });

  test('each is kept as it went out, and a broken prefix is said', () => {
    const view = fold([step(1, true), step(2, false)]);
    expect(view.requests).toMatchObject([
      { turnId: 't1', step: 1, appendOnly: true, tools: 3, bytes: 2_048 },
      { step: 2, appendOnly: false },
    ]);
    expect(view.items.filter((item) => item.kind === 'mark')).toMatchObject([{ name: 'prefixBroken' }]);
  });

  test('a refused part can be left out, and then says so', () => {
    const block = { kind: 'result' as const, callId: 'c1', part: 'image' as const };
    const rejected: SessionEvent = { kind: 'request-rejected', step: 1, reason: 'answered 400', block };
    expect(fold([rejected]).items).toMatchObject([
      { kind: 'rejected', seq: 1, reason: 'answered 400', dropped: false },
    ]);
    const other = { ...block, callId: 'c2' };
    expect(fold([rejected, { kind: 'block-dropped', block: other, by: 'u' }]).items).toMatchObject([
      { dropped: false },
    ]);
    expect(fold([rejected, { kind: 'block-dropped', block, by: 'u' }]).items).toMatchObject([{ dropped: true }]);
  });

  test('a new prefix is told apart from a shortened conversation', () => {
    const names = (droppedItems: number) => fold([{ kind: 'compacted', reason: 'r', droppedItems }]).items;
    expect(names(0)).toMatchObject([{ name: 'renewed' }]);
    expect(names(2)).toMatchObject([{ name: 'compacted' }]);
  });
});
