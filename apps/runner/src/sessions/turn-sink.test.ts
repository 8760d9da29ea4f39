import type { CallEvent, Clock, EnvelopeStore } from '@oneslot/core';
import { describe, expect, test } from 'vitest';
import type { EventLog } from './event-log.ts';
import { createSessionLog } from './session-log.ts';
import { createTurnWriter } from './turn-sink.ts';

const result = {
  ok: true,
  code: null,
  content: 'x',
  parts: [],
  warnings: [],
  truncated: false,
  outputRef: null,
  untrusted: false,
  tookMs: 0,
};
const planned = (callId: string, readOnly: boolean): CallEvent => ({
  kind: 'call-planned',
  callId,
  name: 'x',
  tool: 'x',
  title: 'x',
  input: {},
  inputDigest: 'd',
  level: 'auto',
  decision: 'run',
  readOnly,
  repair: null,
});
const started = (callId: string, early = false): CallEvent => ({ kind: 'call-started', callId, early });
const finished = (callId: string): CallEvent => ({ kind: 'call-finished', callId, result: { callId, ...result } });
const stepCompleted = {
  kind: 'step-completed' as const,
  step: 1,
  text: '',
  reasoning: '',
  calls: [],
  ending: 'complete' as const,
  forged: 0,
};

/** Each statement the log would get; sleepers end when told. */
function writer(opened: unknown[] = []) {
  const statements: string[][] = [];
  let wake = () => {};
  const clock: Clock = {
    now: () => 0,
    sleep: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
  };
  const append: EventLog['append'] = async (_sessionId, events) => {
    statements.push(events.map((event) => ('callId' in event ? `${event.kind} ${event.callId}` : event.kind)));
    return [];
  };
  const log = createSessionLog({ append } as EventLog, { sessionId: 's', epoch: 1, clock });
  const envelopes = {
    open: async (meta: unknown) => ({
      write: async () => undefined,
      finish: async () => ({ ref: `out_${opened.push(meta)}` }),
    }),
  } as unknown as EnvelopeStore;
  const made = createTurnWriter({ log, clock, envelopes, finished: new Map() });
  const awake = async () => {
    wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ...made, statements, wake: awake };
}

describe('turn writer', () => {
  test('a step of reads becomes one statement, a moment later', async () => {
    const { sink, journal, statements, wake } = writer();
    await sink.append(stepCompleted);
    journal.post(planned('a', true));
    journal.post(started('a'));
    await journal.append(finished('a'));
    expect(statements).toEqual([]);
    await wake();
    expect(statements).toEqual([['step-completed', 'call-planned a', 'call-started a', 'call-finished a']]);
    expect(await journal.finished('a')).toMatchObject({ content: 'x' });
  });

  test('the start of an effect is stored with everything before it, and so is its end', async () => {
    const { sink, journal, statements } = writer();
    await sink.append(stepCompleted);
    journal.post(planned('a', false));
    await journal.append(started('a'));
    expect(statements).toEqual([['step-completed', 'call-planned a', 'call-started a']]);
    await journal.append(finished('a'));
    expect(statements[1]).toEqual(['call-finished a']);
  });

  test('deltas go out at once and never pass what was said before', async () => {
    const { sink, journal, statements } = writer();
    journal.post(planned('a', true));
    sink.post({ kind: 'text-appended', step: 1, text: 'hi' });
    expect(statements).toEqual([['call-planned a', 'text-appended']]);
    await sink.append({ kind: 'turn-finished', turnId: 't', status: 'completed', reason: null });
    expect(statements.flat()).toEqual(['call-planned a', 'text-appended', 'turn-finished']);
  });

  test('a result too large for its row keeps where it came from', async () => {
    const opened: unknown[] = [];
    const { journal } = writer(opened);
    const content = 'x'.repeat(100_000);
    for (const untrusted of [true, false]) {
      const large = { ...result, callId: `${untrusted}`, content, untrusted };
      await journal.append({ kind: 'call-finished', callId: large.callId, result: large });
    }
    expect(opened).toMatchObject([
      { callId: 'true', kind: 'transcript', untrusted: true },
      { callId: 'false', kind: 'transcript', untrusted: false },
    ]);
  });

  test('calls started early out of a discarded answer get their end', async () => {
    const { sink, journal, statements } = writer();
    journal.post(started('a', true));
    await sink.append({ kind: 'step-discarded', step: 1, reason: 'cut' });
    expect(statements.flat()).toEqual(['call-started a', 'call-finished a', 'step-discarded']);
    expect(await journal.finished('a')).toBeNull();
  });
});
