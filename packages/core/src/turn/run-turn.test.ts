import { describe, expect, it } from 'vitest';
import type { ToolCall, ToolResult } from '../contract/tool-call.ts';
import type { ToolDispatcher } from '../contract/tool-dispatcher.ts';
import { ToolError } from '../errors.ts';
import { callsTools, fakeClock, type ScriptedAnswer, says, scriptedModel } from '../testing/index.ts';
import { buildRequest } from './build-request.ts';
import type { TranscriptItem } from './model-client.ts';
import { runTurn } from './run-turn.ts';
import type { TurnDeps, TurnEvent } from './turn-deps.ts';

type Fake = ToolDispatcher & {
  dispatched: { calls: readonly ToolCall[]; ending: string }[];
  early: string[];
  discarded: number;
};

function fakeDispatcher(
  answer: (call: ToolCall) => string = (call) => `result of ${call.callId}`,
  haltAfter = Infinity,
): Fake {
  const fake: Fake = {
    dispatched: [],
    early: [],
    discarded: 0,
    metadata: () => [],
    dispatch: async (calls, ending, signal) => {
      fake.dispatched.push({ calls, ending });
      return calls.map(
        (call): ToolResult => ({
          callId: call.callId,
          ok: true,
          code: signal.aborted ? 'cancelled' : null,
          content: answer(call),
          parts: [],
          warnings: [],
          truncated: false,
          outputRef: null,
          untrusted: false,
          tookMs: 0,
        }),
      );
    },
    startEarly: (call) => void fake.early.push(call.callId),
    discardEarly: () => {
      fake.discarded += 1;
    },
    beginTurn: () => undefined,
    halted: () => (fake.dispatched.length >= haltAfter ? 'grep failed 8 times in a row.' : null),
  };
  return fake;
}

async function play(answers: ScriptedAnswer[], changes: Partial<TurnDeps> = {}) {
  const events: TurnEvent[] = [];
  const model = scriptedModel(answers);
  const dispatcher = fakeDispatcher();
  const deps: TurnDeps = {
    turnId: 't1',
    model,
    dispatcher,
    transcript: [{ kind: 'user', text: 'hi' }],
    system: 'be good',
    sink: { append: async (event) => void events.push(event), post: (event) => void events.push(event) },
    signal: new AbortController().signal,
    clock: { ...fakeClock(), sleep: async () => undefined },
    ...changes,
  };
  const end = await runTurn(deps);
  const kinds = events.map((event) => event.kind);
  return { end, events, kinds, model, dispatcher: deps.dispatcher as Fake };
}

const read = (id: string) => callsTools({ id, name: 'read_file', input: { path: 'a' } });

describe('runTurn', () => {
  it('asks until no calls remain, with every request longer than the one before', async () => {
    const { end, events, kinds, model } = await play([read('c1'), read('c2'), says('done')]);
    expect(end).toMatchObject({ status: 'completed', reason: null });
    expect(model.requests.map((request) => request.transcript.length)).toEqual([1, 3, 5]);
    expect(events.filter((event) => event.kind === 'step-started').every((event) => event.prefixAppendOnly)).toBe(true);
    expect(kinds[0]).toBe('turn-started');
    expect(kinds.at(-1)).toBe('turn-finished');
    const next = await play([says('again')], {
      transcript: [...end.transcript, { kind: 'user', text: 'more' }],
      previousPrefix: end.prefix,
    });
    expect(next.events.find((event) => event.kind === 'step-started')).toMatchObject({ prefixAppendOnly: true });
    const changed = await play([says('again')], {
      transcript: end.transcript,
      system: 'be bad',
      previousPrefix: end.prefix,
    });
    expect(changed.events.find((event) => event.kind === 'step-started')).toMatchObject({ prefixAppendOnly: false });
  });

  it('finishes open calls of its transcript before it asks', async () => {
    const calls = [
      { callId: 'c1', name: 'read_file', argumentsText: '{}' },
      { callId: 'c2', name: 'read_file', argumentsText: '{}' },
    ];
    const transcript: TranscriptItem[] = [
      { kind: 'user', text: 'hi' },
      { kind: 'assistant', text: '', reasoning: '', calls, cutOff: true },
      { kind: 'result', callId: 'c1', content: 'kept', parts: [] },
    ];
    const { dispatcher, model } = await play([says('done')], { transcript, resumed: true });
    expect(dispatcher.dispatched).toMatchObject([{ calls: [{ callId: 'c2' }], ending: 'cut_off' }]);
    expect(model.requests[0]?.transcript.map((item) => (item.kind === 'result' ? item.content : item.kind))).toEqual([
      'user',
      'assistant',
      'kept',
      'result of c2',
    ]);
  });

  it('throws a cut stream away, whatever was seen of it, and asks again', async () => {
    const silent = await play([[new Error('reset')], says('done')]);
    expect(silent.kinds).toEqual([
      'turn-started',
      'step-started',
      'step-discarded',
      'step-started',
      'text-appended',
      'step-completed',
      'turn-finished',
    ]);
    expect(silent.dispatcher.discarded).toBe(1);
    const thrice = await play([[new Error('reset')], [new Error('once more')], [new Error('and again')]]);
    expect(thrice.end).toMatchObject({ status: 'failed', reason: 'and again' });
    const seen = await play([[{ kind: 'text', text: 'half ' }, new Error('reset')], says('done')]);
    expect(seen.end).toMatchObject({ status: 'completed' });
    expect(seen.model.requests).toHaveLength(2);
    expect(seen.end.transcript.slice(1)).toMatchObject([{ kind: 'assistant', text: 'done' }]);
    const refused = new ToolError('upstream_error', 'answered 401', { data: { final: true } });
    expect((await play([[refused], says('done')])).end).toMatchObject({ status: 'failed', reason: 'answered 401' });
  });

  it('stops at once, whatever the model does, and keeps what was seen', async () => {
    const abort = new AbortController();
    const hanging = {
      id: 'hanging',
      async *stream() {
        yield { kind: 'text' as const, text: 'so far' };
        abort.abort();
        await new Promise(() => undefined);
      },
    };
    const { end, kinds } = await play([], { model: hanging, signal: abort.signal });
    expect(end).toMatchObject({ status: 'stopped' });
    expect(end.transcript.at(-1)).toMatchObject({ kind: 'assistant', text: 'so far', cutOff: true });
    expect(kinds.slice(-2)).toEqual(['step-completed', 'turn-finished']);
  });

  it('says stopped rather than halted, and halted where only that is true', async () => {
    const abort = new AbortController();
    const stopping = fakeDispatcher(() => {
      abort.abort();
      return 'x';
    }, 1);
    expect((await play([read('c1')], { dispatcher: stopping, signal: abort.signal })).end.status).toBe('stopped');
    const { end, kinds } = await play([read('c1')], { dispatcher: fakeDispatcher(undefined, 1) });
    expect(end).toMatchObject({ status: 'halted', reason: 'grep failed 8 times in a row.' });
    expect(kinds).toContain('notice-added');
  });

  it('tells the model once to use the real channel, and people once a turn', async () => {
    const forged = says('<tool_call>{"name":"read_file","arguments":{}}</tool_call>');
    const { events, model, end } = await play([forged, forged]);
    expect(events.filter((event) => event.kind === 'notice-added')).toHaveLength(1);
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]?.transcript.at(-1)).toMatchObject({ kind: 'note' });
    expect(end.status).toBe('completed');
  });

  it('warns once where more than twenty tools are active', async () => {
    const tool = (index: number) => ({
      name: `t${index}`,
      description: '',
      inputSchema: {},
      load: 'deferred' as const,
      source: 'builtin' as const,
      family: 'test',
      baseLevel: 'auto' as const,
    });
    let count = 20;
    const dispatcher = {
      ...fakeDispatcher(),
      metadata: () => Array.from({ length: count++ }, (_, index) => tool(index)),
    };
    const { events, end } = await play([read('c1'), read('c2'), says('done')], { dispatcher });
    const notices = (all: TurnEvent[]) => all.filter((event) => event.kind === 'notice-added');
    expect(notices(events)).toMatchObject([{ level: 'warning', text: expect.stringContaining('21 tools') }]);
    const next = await play([says('again')], { dispatcher, transcript: end.transcript, previousPrefix: end.prefix });
    expect(notices(next.events)).toEqual([]);
  });

  it('takes messages that came meanwhile before it ends', async () => {
    const queue: TranscriptItem[][] = [[], [{ kind: 'user', text: 'also this' }], [], []];
    const { end, model } = await play([says('one'), says('two')], { takeFollowUps: async () => queue.shift() ?? [] });
    expect(end.status).toBe('completed');
    expect(model.requests[1]?.transcript.map((item) => item.kind)).toEqual(['user', 'assistant', 'user']);
  });
});

describe('buildRequest', () => {
  it('gives every call one result, in order, and drops what has no partner', () => {
    const call = (callId: string, argumentsText = '{}') => ({ callId, name: 'read file!', argumentsText });
    const items = buildRequest([
      { kind: 'result', callId: 'stray', content: 'x', parts: [] },
      { kind: 'assistant', text: '', reasoning: 'hm', calls: [] },
      { kind: 'assistant', text: '', reasoning: '', calls: [call('a', '{"broken'), call('b')], cutOff: true },
      { kind: 'result', callId: 'b', content: 'B', parts: [] },
      { kind: 'result', callId: 'b', content: 'B again', parts: [] },
    ]);
    expect(items.map((item) => item.kind)).toEqual(['assistant', 'result', 'result']);
    expect(items[0]).toEqual({
      kind: 'assistant',
      text: '',
      reasoning: '',
      calls: [
        { callId: 'a', name: 'read_file_', argumentsText: '{}' },
        { callId: 'b', name: 'read_file_', argumentsText: '{}' },
      ],
    });
    expect(items[1]).toMatchObject({ callId: 'a', content: expect.stringContaining('[interrupted]') });
    expect(items[2]).toMatchObject({ callId: 'b', content: 'B' });
  });
});
