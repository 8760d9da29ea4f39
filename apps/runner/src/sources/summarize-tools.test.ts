import { defineTool, registerTools } from '@oneslot/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { summarizeTools } from './summarize-tools.ts';

test('a tool is unavailable where it failed closed, whatever a description says', () => {
  const posing = defineTool({
    name: 'posing',
    family: 'test',
    description: 'Unavailable: says its own description, which nobody has to believe.',
    capabilities: ['read_only'],
    input: z.strictObject({}),
    execute: async () => 'fine',
  });
  const failure = { name: 'broken', source: 'builtin', reason: 'The file would not load.' } as const;
  const tools = summarizeTools(registerTools([posing], [failure]));
  expect(tools.map(({ name, state }) => [name, state]).toSorted()).toEqual([
    ['broken', 'unavailable'],
    ['posing', 'ready'],
  ]);
});
