import type { SessionEvent, StoredEvent } from '@oneslot/core';
import { expect, test } from 'vitest';
import { buildTranscript, spilledRefs } from './build-transcript.ts';

const log = (...events: SessionEvent[]): StoredEvent[] =>
  events.map((event, index) => ({ sessionId: 's', seq: index + 1, at: 0, event }));
const message = (text: string): SessionEvent => ({ kind: 'message-added', messageId: text, text, by: 'u' });
const step = (n: number, text: string, ids: string[]): SessionEvent => ({
  kind: 'step-completed',
  step: n,
  text,
  reasoning: '',
  calls: ids.map((callId) => ({ callId, name: 'read_file', argumentsText: '{}' })),
  ending: 'complete',
  forged: 0,
});
const finished = (callId: string, content: string): SessionEvent => ({
  kind: 'call-finished',
  callId,
  result: {
    callId,
    ok: true,
    code: null,
    content,
    parts: [],
    warnings: [],
    truncated: false,
    outputRef: null,
    untrusted: false,
    tookMs: 0,
  },
});

test('results stand behind their step in the order of its calls, however they arrived', () => {
  const events = log(
    message('hi'),
    step(1, 'reading', ['a', 'b']),
    finished('b', 'two'),
    finished('a', 'one'),
    step(2, 'done', []),
  );
  expect(buildTranscript(events).map((item) => ('content' in item ? item.content : item.text))).toEqual([
    'hi',
    'reading',
    'one',
    'two',
    'done',
  ]);
});

test('a discarded stream and its early calls never happened', () => {
  const events = log(
    message('hi'),
    { kind: 'text-appended', step: 1, text: 'half' },
    finished('early', 'x'),
    { kind: 'step-discarded', step: 1, reason: 'cut' },
    step(1, 'whole', []),
  );
  expect(buildTranscript(events)).toEqual([
    { kind: 'user', text: 'hi' },
    { kind: 'assistant', text: 'whole', reasoning: '', calls: [] },
  ]);
});

test('an id that comes back after its stream was thrown away gets the result of its own step', () => {
  const discarded: SessionEvent = { kind: 'step-discarded', step: 1, reason: 'restart' };
  const items = buildTranscript(log(finished('a', 'void'), discarded, step(1, '', ['a']), finished('a', 'real')));
  expect(items[1]).toMatchObject({ content: 'real' });
});

test('a cut answer and removed forgeries are remembered', () => {
  const event: SessionEvent = {
    kind: 'step-completed',
    step: 1,
    text: 'x',
    reasoning: '',
    calls: [],
    ending: 'cut_off',
    forged: 2,
  };
  expect(buildTranscript(log(event))).toEqual([
    { kind: 'assistant', text: 'x', reasoning: '', calls: [], cutOff: true, forged: 2 },
  ]);
});

test('calls without a result stay open at the end', () => {
  const items = buildTranscript(log(message('hi'), step(1, '', ['a', 'b']), finished('a', 'one')));
  expect(items.map((item) => item.kind)).toEqual(['user', 'assistant', 'result']);
});

test('the first result behind its step holds', () => {
  const items = buildTranscript(log(step(1, '', ['a']), finished('a', 'first'), finished('a', 'second')));
  expect(items[1]).toMatchObject({ content: 'first' });
});

test('a longer log only appends', () => {
  const events = log(
    message('1'),
    step(1, 'a', ['x']),
    finished('x', 'r'),
    message('2'),
    step(2, 'b', ['y', 'z']),
    finished('z', 'r'),
    finished('y', 'r'),
    step(3, 'c', []),
  );
  // Only where every call has its result, for only then is a request made.
  for (const cut of [1, 3, 4]) {
    const shorter = buildTranscript(events.slice(0, cut));
    expect(buildTranscript(events).slice(0, shorter.length)).toEqual(shorter);
  }
});

test('texts in envelopes come back whole', () => {
  const events = log(
    { kind: 'message-added', messageId: 'm', text: 'he…', textRef: 'r1', by: 'u' },
    {
      kind: 'step-completed',
      step: 1,
      text: 'an…',
      textRef: 'r2',
      reasoning: '',
      calls: [{ callId: 'a', name: 'write_file', argumentsText: '{"…', argumentsRef: 'r3' }],
      ending: 'complete',
      forged: 0,
    },
  );
  expect(spilledRefs(events)).toEqual(['r1', 'r2', 'r3']);
  const texts = new Map([
    ['r1', 'hello'],
    ['r2', 'answer'],
    ['r3', '{"path":"a"}'],
  ]);
  expect(buildTranscript(events, texts)).toEqual([
    { kind: 'user', text: 'hello' },
    {
      kind: 'assistant',
      text: 'answer',
      reasoning: '',
      calls: [{ callId: 'a', name: 'write_file', argumentsText: '{"path":"a"}' }],
    },
  ]);
});
