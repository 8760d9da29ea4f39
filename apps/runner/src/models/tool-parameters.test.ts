import type { ToolMetadata } from '@oneslot/core';
import { expect, test } from 'vitest';
import { toolBytes } from './chat-messages.ts';
import { responsesBody } from './openai-responses.ts';
import { toolParameters } from './tool-parameters.ts';

/** A foreign definition as the catalog holds it: sanitized, in no provider's dialect yet. */
const tool: ToolMetadata = {
  name: 'mcp__shop__find',
  description: 'Finds.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string', nullable: true }, tags: { type: 'array', items: {} } },
    anyOf: [{ required: ['id'] }, { required: ['tags'] }],
  },
  load: 'deferred',
  source: 'mcp:shop',
  family: 'shop',
  baseLevel: 'required',
};

test('a schema is sent in the words of the dialect', () => {
  const sent = toolParameters(tool);
  expect(sent.anyOf).toBeUndefined();
  expect(Object(sent.properties).id).toEqual({ type: ['string', 'null'] });
});

test('the bytes of a definition never move', () => {
  const body = () => responsesBody('gpt', { system: 's', tools: [tool], transcript: [] });
  const [first, second] = [body().tools?.[0], body().tools?.[0]];
  expect(JSON.stringify(first)).toBe(JSON.stringify(second));
  expect(first).toMatchObject({ strict: false, parameters: toolParameters(tool) });
  expect(toolParameters(tool)).toBe(toolParameters(tool));
  expect(JSON.parse(toolBytes(tool).toString()).function.parameters).toEqual(toolParameters(tool));
});
