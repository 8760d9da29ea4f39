import type { ModelClient, ModelDelta, SessionEvent } from '@oneslot/core';
import { expect, test } from 'vitest';
import { findCheapModel } from './cheap-model.ts';

const summary = { name: 'small', provider: 'p', providerId: null, kind: 'openai-chat', isDefault: false } as const;

/** A model that streams these deltas and says how often it was read and whether it was let go. */
function deps(deltas: readonly ModelDelta[], cheapId: string | null = 'm1') {
  const events: SessionEvent[] = [];
  const read = { deltas: 0, aborted: false, tools: -1 };
  const client: ModelClient = {
    id: 'm1',
    async *stream(request, signal) {
      read.tools = request.tools.length;
      signal.addEventListener('abort', () => {
        read.aborted = true;
      });
      for (const delta of deltas) {
        read.deltas += 1;
        yield delta;
      }
    },
  };
  return {
    events,
    read,
    models: {
      list: async () => [
        { ...summary, id: 'm1', offline: false },
        { ...summary, id: 'tour', offline: true },
      ],
      open: async () => client,
    },
    settings: { cheapModel: async () => cheapId },
    log: { post: (event: SessionEvent) => void events.push(event) },
  };
}
const options = { maxTokens: 100, signal: new AbortController().signal };

test('what it says is its text, without tools, and what it used counts to the session', async () => {
  const given = deps([
    { kind: 'reasoning', text: 'hm' },
    { kind: 'text', text: 'It is ' },
    { kind: 'text', text: 'short.' },
    { kind: 'usage', inputTokens: 50, cachedTokens: 5, outputTokens: 4 },
    { kind: 'finish', reason: 'stop' },
  ]);
  const model = await findCheapModel(given, 'org');
  expect(await model?.complete('text', options)).toBe('It is short.');
  expect(model?.name).toBe('small');
  expect(given.read.tools).toBe(0);
  const usage = { inputTokens: 50, cachedTokens: 5, outputTokens: 4 };
  expect(given.events).toEqual([{ kind: 'usage-recorded', modelId: 'm1', ...usage }]);
});

test('one that talks on is cut off, and charged by estimate where it told nothing', async () => {
  const given = deps(Array.from({ length: 1_000 }, () => ({ kind: 'text', text: 'word word ' })));
  const text = (await (await findCheapModel(given, 'org'))?.complete('text', options)) ?? '';
  expect(text.length).toBeLessThan(500);
  expect(given.read.deltas).toBeLessThan(60);
  expect(given.read.aborted).toBe(true);
  expect(given.events).toMatchObject([{ kind: 'usage-recorded', cachedTokens: 0 }]);
  expect(Object(given.events[0]).outputTokens).toBeGreaterThan(100);
});

test('none that was named, one that is gone and one that plays a script are none', async () => {
  for (const id of [null, 'removed', 'tour']) expect(await findCheapModel(deps([], id), 'org')).toBeNull();
});
