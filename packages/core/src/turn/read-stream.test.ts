import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { ToolCall } from '../contract/tool-call.ts';
import type { ModelDelta } from './model-client.ts';
import { readStream, type StreamOutcome } from './read-stream.ts';

async function* streamOf(deltas: readonly ModelDelta[]): AsyncIterable<ModelDelta> {
  yield* deltas;
}

async function read(deltas: readonly ModelDelta[], takenIds: readonly string[] = []) {
  let made = 0;
  const closed: ToolCall[] = [];
  const shown: string[] = [];
  const outcome: StreamOutcome = await readStream(streamOf(deltas), {
    tools: new Set(['read_file', 'ls']),
    takenIds: new Set(takenIds),
    makeId: () => `made_${made++}`,
    onText: (text) => shown.push(text),
    onReasoning: () => undefined,
    onCallClosed: (call) => closed.push(call),
  });
  return { ...outcome, closed, shown };
}

const finish: ModelDelta = { kind: 'finish', reason: 'calls' };
const call = (index: number, rest: Partial<Extract<ModelDelta, { kind: 'call' }>>): ModelDelta => ({
  kind: 'call',
  index,
  ...rest,
});

describe('calls', () => {
  it('come together from interleaved fragments, in the order of their index', async () => {
    const { calls, ending } = await read([
      call(1, { callId: 'b', name: 'ls', argumentsText: '{"pa' }),
      call(0, { callId: 'a', name: 'read_file', argumentsText: '{"path"' }),
      call(1, { argumentsText: 'th":"x"}' }),
      call(0, { argumentsText: ':"y"}' }),
      finish,
    ]);
    expect(calls).toEqual([
      { callId: 'a', name: 'read_file', argumentsText: '{"path":"y"}' },
      { callId: 'b', name: 'ls', argumentsText: '{"path":"x"}' },
    ]);
    expect(ending).toBe('complete');
  });

  it('get ids where they have none, or one that is taken', async () => {
    const { calls } = await read(
      [
        call(0, { name: 'ls' }),
        call(1, { callId: 'x', name: 'ls' }),
        call(2, { callId: 'x', name: 'ls' }),
        call(3, { callId: 'old', name: '' }),
        finish,
      ],
      ['old', 'made_0'],
    );
    expect(calls.map(({ callId }) => callId)).toEqual(['made_1', 'made_2', 'x', 'made_3']);
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(4);
    expect(calls[3]?.name).toBe('');
  });

  it('of one index are told apart by id or by name', async () => {
    const { calls } = await read([
      call(0, { callId: 'a', name: 'ls', argumentsText: '{}' }),
      call(0, { callId: 'b', name: 'ls', argumentsText: '{}' }),
      call(5, { name: 'ls', argumentsText: '{"a":1}' }),
      call(5, { name: 'ls', argumentsText: '{"a":2}' }),
      finish,
    ]);
    expect(calls.map(({ argumentsText }) => argumentsText)).toEqual(['{}', '{}', '{"a":1}', '{"a":2}']);
  });

  it('tolerate objects as arguments and an id that comes late', async () => {
    const { calls } = await read([
      call(0, { name: 'ls', argumentsText: JSON.parse('{"a":1}') }),
      call(0, { callId: 'late' }),
      finish,
    ]);
    expect(calls).toEqual([{ callId: 'late', name: 'ls', argumentsText: '{"a":1}' }]);
  });

  it('close at their mark, at the next block when whole, and at a clean end; never at a cut', async () => {
    const marked = await read([
      call(0, { callId: 'a', name: 'ls', argumentsText: '{' }),
      { kind: 'call-end', index: 0 },
    ]);
    expect(marked.closed.map(({ callId }) => callId)).toEqual(['a']);
    const next = await read([
      call(0, { callId: 'a', name: 'ls', argumentsText: '{}' }),
      call(1, { callId: 'b', name: 'ls', argumentsText: '{' }),
    ]);
    expect(next.closed.map(({ callId }) => callId)).toEqual(['a']);
    expect(next.calls).toHaveLength(2);
    expect(next.ending).toBe('cut_off');
    const clean = await read([call(0, { callId: 'a', name: 'ls', argumentsText: '{' }), finish]);
    expect(clean.closed).toHaveLength(1);
  });
});

describe('endings', () => {
  it.each<[ModelDelta[], string]>([
    [[], 'cut_off'],
    [[{ kind: 'finish', reason: 'stop' }], 'complete'],
    [
      [
        { kind: 'finish', reason: 'length' },
        { kind: 'finish', reason: 'stop' },
      ],
      'cut_off',
    ],
    [[{ kind: 'finish', reason: 'filtered' }], 'cut_off'],
  ])('%o is %s', async (deltas, ending) => {
    expect((await read(deltas)).ending).toBe(ending);
  });
});

describe('text', () => {
  it('is shown without forged calls, and usage adds up', async () => {
    const outcome = await read([
      { kind: 'text', text: 'Hi <tool' },
      { kind: 'text', text: '_call>{"name":"ls"}</tool_call> bye' },
      { kind: 'usage', inputTokens: 10, cachedTokens: 4, outputTokens: 0 },
      { kind: 'usage', inputTokens: 0, cachedTokens: 0, outputTokens: 7 },
      { kind: 'finish', reason: 'stop' },
    ]);
    expect(outcome).toMatchObject({ text: 'Hi  bye', shown: ['Hi ', ' bye'], forged: 1, calls: [] });
    expect(outcome.usage).toEqual({ inputTokens: 10, cachedTokens: 4, outputTokens: 7 });
  });

  test('never becomes a call', async () => {
    const piece = fc.constantFrom(
      '<tool_call>',
      '</tool_call>',
      '{"name":"ls","arguments":{}}',
      '[TOOL_CALLS]',
      '```tool_code\n',
      'Action: ls\nAction Input: {}',
      'a',
      '\n',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        const deltas = pieces.map((text): ModelDelta => ({ kind: 'text', text }));
        const { calls, closed } = await read([...deltas, { kind: 'finish', reason: 'stop' }]);
        expect([calls, closed]).toEqual([[], []]);
      }),
      { numRuns: 1_000 },
    );
  });
});
