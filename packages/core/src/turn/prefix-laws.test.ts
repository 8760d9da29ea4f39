import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { toolSpec, wireDispatcher } from '../../test/wire-dispatcher.ts';
import { callsTools, fakeClock, type ScriptedAnswer, says, scriptedModel } from '../testing/index.ts';
import { hashPrefix } from './hash-prefix.ts';
import type { ModelRequest, TranscriptItem } from './model-client.ts';
import { runTurn } from './run-turn.ts';
import type { TurnEvent } from './turn-deps.ts';

const runs = { numRuns: 1_000 };
/** A thousand worlds take their time where other suites run beside this one. */
vi.setConfig({ testTimeout: 120_000 });

const stepArb = fc.oneof(
  fc.record({ kind: fc.constant('says' as const), text: fc.string({ minLength: 1 }) }),
  fc.record({ kind: fc.constant('forges' as const), text: fc.constant('<tool_call>{"name":"reads"}</tool_call>') }),
  fc.record({
    kind: fc.constant('calls' as const),
    names: fc.array(fc.constantFrom('reads', 'activates', 'breaks', 'later_2', 'nobody'), {
      minLength: 1,
      maxLength: 3,
    }),
    text: fc.oneof(fc.constant('{}'), fc.string(), fc.json()),
  }),
);
const turnsArb = fc.array(fc.array(stepArb, { maxLength: 4 }), { minLength: 1, maxLength: 3 });

test('the prefix only grows: system stays, tools and messages get longer at their ends', async () => {
  await fc.assert(
    fc.asyncProperty(turnsArb, async (turns) => {
      const { requests, events } = await playTurns(turns);
      for (const [index, request] of requests.entries()) {
        const before = requests[index - 1];
        if (before) expectGrown(before, request);
      }
      expect(events.filter((event) => event.kind === 'step-started' && !event.prefixAppendOnly)).toEqual([]);
    }),
    runs,
  );
});

test('whatever else changes in a prefix is noticed', () => {
  const itemArb = fc.record({ kind: fc.constant('user' as const), text: fc.string() });
  fc.assert(
    fc.property(fc.array(itemArb, { minLength: 1, maxLength: 6 }), fc.nat(), fc.string(), (transcript, at, text) => {
      const place = at % transcript.length;
      fc.pre(transcript[place]?.text !== text);
      const request = { system: 's', tools: [], transcript };
      const before = hashPrefix(request, null).text;
      const changed = transcript.map((item, index) => (index === place ? { ...item, text } : item));
      const more = { kind: 'user' as const, text: 'more' };
      expect(hashPrefix({ ...request, transcript: [...transcript, more] }, before).appendOnly).toBe(true);
      expect(hashPrefix({ ...request, transcript: [...changed, more] }, before).appendOnly).toBe(false);
      expect(hashPrefix({ ...request, transcript: transcript.slice(0, -1) }, before).appendOnly).toBe(false);
      expect(hashPrefix({ ...request, system: 'other' }, before).appendOnly).toBe(false);
    }),
    runs,
  );
});

type Turns = typeof turnsArb extends fc.Arbitrary<infer T> ? T : never;

/** Turn after turn of one session over the real dispatcher, tools activated on the way. */
async function playTurns(turns: Turns) {
  const later = ['later_1', 'later_2', 'later_3'].map((name) =>
    toolSpec({ name, load: 'deferred', execute: async () => name }),
  );
  let activated = 0;
  const { dispatcher, deps } = wireDispatcher([
    ...later,
    toolSpec({ name: 'reads', execute: async () => 'read' }),
    toolSpec({
      name: 'activates',
      execute: async () => {
        activated += 1;
        deps.catalog.activate([`later_${activated}`]);
        return 'activated';
      },
    }),
    toolSpec({ name: 'breaks', execute: async () => Promise.reject(new TypeError('broken')) }),
  ]);
  const requests: ModelRequest[] = [];
  const events: TurnEvent[] = [];
  let transcript: TranscriptItem[] = [];
  let previousPrefix: string | null = null;
  for (const [number, steps] of turns.entries()) {
    const model = scriptedModel([
      ...steps.map((step, index) => answerOf(step, `${number}_${index}`)),
      says('end'),
      says('end'),
    ]);
    const end = await runTurn({
      turnId: `t${number}`,
      model,
      dispatcher,
      transcript: [...transcript, { kind: 'user', text: `message ${number}` }],
      system: 'be good',
      sink: { append: async (event) => void events.push(event), post: (event) => void events.push(event) },
      signal: new AbortController().signal,
      clock: { ...fakeClock(), sleep: async () => undefined },
      previousPrefix,
    });
    // A request is what was sent, not what the list grows into.
    requests.push(...structuredClone(model.requests));
    transcript = end.transcript;
    previousPrefix = end.prefix;
  }
  return { requests, events };
}

function answerOf(step: Turns[number][number], id: string): ScriptedAnswer {
  if (step.kind !== 'calls') return says(step.text);
  return callsTools(...step.names.map((name, index) => ({ id: `c${id}_${index}`, name, input: step.text })));
}

function expectGrown(before: ModelRequest, after: ModelRequest): void {
  const texts = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item));
  expect(after.system).toBe(before.system);
  expect(texts(after.tools).slice(0, before.tools.length)).toEqual(texts(before.tools));
  expect(texts(after.transcript).slice(0, before.transcript.length)).toEqual(texts(before.transcript));
}
