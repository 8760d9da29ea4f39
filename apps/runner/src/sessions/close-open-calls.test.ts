import type { SessionEvent, StoredEvent } from '@oneslot/core';
import { describe, expect, test } from 'vitest';
import { closeOpenCalls } from './close-open-calls.ts';

const log = (...events: SessionEvent[]): StoredEvent[] =>
  events.map((event, index) => ({ sessionId: 's', seq: index + 1, at: 0, event }));
const stepStarted: SessionEvent = {
  kind: 'step-started',
  turnId: 't',
  step: 1,
  prefixHash: 'h',
  prefixAppendOnly: true,
  tools: 0,
  requestBytes: 0,
};
const stepCompleted = (...ids: string[]): SessionEvent => ({
  kind: 'step-completed',
  step: 1,
  text: '',
  reasoning: '',
  calls: ids.map((callId) => ({ callId, name: 'x', argumentsText: '{}' })),
  ending: 'complete',
  forged: 0,
});
const planned = (callId: string): SessionEvent => ({
  kind: 'call-planned',
  callId,
  name: 'x',
  tool: 'x',
  title: 'x',
  input: {},
  inputDigest: 'd',
  level: 'auto',
  decision: 'run',
  readOnly: false,
  repair: null,
});
const started = (callId: string): SessionEvent => ({ kind: 'call-started', callId, early: false });
const done = (callId: string): SessionEvent => ({
  kind: 'call-finished',
  callId,
  result: {
    callId,
    ok: true,
    code: null,
    content: 'x',
    parts: [],
    warnings: [],
    truncated: false,
    outputRef: null,
    untrusted: false,
    tookMs: 0,
  },
});
const codes = (events: SessionEvent[]) =>
  events.map((event) => (event.kind === 'call-finished' ? `${event.callId}:${event.result.code}` : event.kind));

describe('closeOpenCalls', () => {
  test('started without end is unknown; done, planned and untouched ones are left', () => {
    const events = log(
      stepStarted,
      stepCompleted('a', 'b', 'c', 'd'),
      planned('a'),
      planned('b'),
      planned('c'),
      started('a'),
      done('a'),
      started('b'),
    );
    expect(codes(closeOpenCalls(events))).toEqual(['b:interrupted']);
  });

  test('a broken stream is void, and so is what started early out of it', () => {
    expect(codes(closeOpenCalls(log(stepStarted, planned('a'), started('a'), planned('b'))))).toEqual([
      'a:interrupted',
      'b:interrupted',
      'step-discarded',
    ]);
  });

  test('a question that waits goes on waiting', () => {
    const asked: SessionEvent = { kind: 'question-asked', callId: 'a', questions: [] };
    expect(closeOpenCalls(log(stepStarted, stepCompleted('a'), planned('a'), started('a'), asked))).toEqual([]);
  });

  test('a call that waits for approval goes on waiting', () => {
    expect(closeOpenCalls(log(stepStarted, stepCompleted('a'), planned('a')))).toEqual([]);
  });

  test('an id that comes back after its stream was thrown away is a new call', () => {
    const first = log(stepStarted, started('a'));
    const events = [...first, ...log(...closeOpenCalls(first)), ...log(stepStarted, started('a'), stepCompleted('a'))];
    expect(codes(closeOpenCalls(events))).toEqual(['a:interrupted']);
  });

  test('closing twice closes nothing more', () => {
    const events = log(stepStarted, planned('a'), started('a'));
    const closed = [...events, ...log(...closeOpenCalls(events))];
    expect(closeOpenCalls(closed)).toEqual([]);
  });
});
