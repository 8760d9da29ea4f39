import type { Dialect, ToolMetadata } from '@oneslot/core';
import { expect, test } from 'vitest';
import { toolBytes } from './chat-messages.ts';
import { chooseDialect } from './choose-dialect.ts';
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

const dialects: Dialect[] = ['plain', 'openai', 'openai-strict', 'anthropic', 'gemini', 'deepseek'];

test('a schema is sent in the words of the dialect', () => {
  const { schema, strict } = toolParameters(tool, 'openai');
  expect(strict).toBe(false);
  expect(schema.anyOf).toBeUndefined();
  expect(Object(schema.properties).id).toEqual({ type: ['string', 'null'] });
  expect(Object(toolParameters(tool, 'gemini').schema.properties).id).toEqual({ type: 'string', nullable: true });
  expect(toolParameters(tool, 'plain').schema.anyOf).toEqual(tool.inputSchema.anyOf);
});

test('strict is said only where the tool can be told strictly', () => {
  const closed: ToolMetadata = { ...tool, inputSchema: { type: 'object', properties: { id: { type: 'string' } } } };
  const sent = (one: ToolMetadata) => JSON.parse(toolBytes(one, 'openai-strict').toString()).function;
  expect(sent(closed)).toMatchObject({ strict: true, parameters: { required: ['id'], additionalProperties: false } });
  expect(sent(tool)).not.toHaveProperty('strict');
});

test.each(dialects)('the bytes of a definition never move in %s', (dialect) => {
  const body = () => responsesBody({ model: 'gpt', dialect }, { system: 's', tools: [tool], transcript: [] });
  expect(JSON.stringify(body().tools?.[0])).toBe(JSON.stringify(body().tools?.[0]));
  expect(toolParameters(tool, dialect)).toBe(toolParameters(tool, dialect));
  expect(toolBytes(tool, dialect)).toBe(toolBytes(tool, dialect));
  expect(JSON.parse(toolBytes(tool, dialect).toString()).function.parameters).toEqual(
    toolParameters(tool, dialect).schema,
  );
});

test.each([
  ['gpt-5', 'https://api.openai.com/v1', 'openai-strict'],
  ['anthropic/claude-sonnet', 'https://openrouter.ai/api/v1', 'anthropic'],
  ['gemini-3-pro', 'https://generativelanguage.googleapis.com/v1beta/openai', 'gemini'],
  ['deepseek-chat', 'https://api.deepseek.com', 'deepseek'],
  ['deepseek-r1:70b', 'http://localhost:11434/v1', 'deepseek'],
  ['some-local-model', 'http://127.0.0.1:8000/v1', 'openai'],
  ['claude-like', 'https://api.openai.com.example.test/v1', 'anthropic'],
  ['gpt-5', 'https://api.openai.com.example.test/v1', 'openai'],
])('%s at %s is told in %s', (name, baseUrl, dialect) => {
  expect(chooseDialect({ name, baseUrl })).toBe(dialect);
});
