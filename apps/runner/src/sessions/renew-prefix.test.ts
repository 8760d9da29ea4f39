import type { StoredEvent } from '@oneslot/core';
import { expect, test } from 'vitest';
import { manyTools, renewPrefix } from './renew-prefix.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
const stream = async function* () {};

function session(resident: number, activated: number, requestModel: string | null) {
  let active = names(activated);
  const spoken: string[] = [];
  return {
    spoken,
    memory: { requestModel },
    catalog: {
      active: () => active,
      metadata: () => [...names(resident), ...active],
      keepActive: (kept: readonly string[]) => {
        active = active.filter((name) => kept.includes(name));
      },
    },
    speak: (dialect: string) => void spoken.push(dialect),
  };
}
const used = (tool: string): StoredEvent['event'] => ({
  ...{ kind: 'call-planned', callId: 'c', name: tool, tool, title: tool, input: {}, inputDigest: '', repair: null },
  ...{ level: null, decision: 'run', readOnly: true },
});
const log =
  (...events: StoredEvent['event'][]) =>
  async () =>
    events.map((event, index) => ({ sessionId: 's', seq: index + 1, at: 0, event }));

test('the first request and the same model renew nothing', async () => {
  const first = session(15, 10, null);
  expect(await renewPrefix(first, { id: 'a', dialect: 'gemini', stream }, log())).toBeNull();
  expect(first.spoken).toEqual(['gemini']);
  expect(await renewPrefix(first, { id: 'a', stream }, log())).toBeNull();
  expect(first.catalog.active()).toHaveLength(10);
});

test('another model keeps at most twenty tools, the last used ones, in their order', async () => {
  const owner = session(15, 10, 'a');
  const activated = { kind: 'tools-activated' as const, names: names(10) };
  const renewal = await renewPrefix(owner, { id: 'b', stream }, log(activated, used('t3'), used('t1')));
  expect(owner.catalog.metadata()).toHaveLength(manyTools);
  expect(renewal).toMatchObject({ droppedItems: 0, activeTools: ['t1', 't3', 't7', 't8', 't9'] });
  expect(owner.memory.requestModel).toBe('b');
});
