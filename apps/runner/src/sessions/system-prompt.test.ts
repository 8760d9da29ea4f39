import type { ToolMetadata } from '@oneslot/core';
import { expect, test } from 'vitest';
import { buildSystemPrompt } from './system-prompt.ts';

const tool = (name: string): ToolMetadata => ({
  name,
  description: `Does ${name} things and some more. Then more.`,
  inputSchema: {},
  load: 'deferred',
  source: 'builtin',
  family: 'f',
  baseLevel: 'auto',
});

test('stays small without the index, and an entry of the index stays below twenty tokens', () => {
  // Four characters a token is what English prose costs.
  const bare = buildSystemPrompt({ deferred: [], isolation: 'simulated' });
  expect(bare.length / 4).toBeLessThan(900);
  const deferred = Array.from({ length: 46 }, (_, n) => tool(`some_tool_${n}`));
  const full = buildSystemPrompt({ deferred, isolation: 'simulated' });
  expect((full.length - bare.length) / 4 / 46).toBeLessThan(20);
});

test('the same tools give the same bytes', () => {
  const options = { deferred: [tool('a')], isolation: 'container' as const };
  expect(buildSystemPrompt(options)).toBe(buildSystemPrompt(options));
});
