import { expect, it } from 'vitest';
import { wireDispatcher } from '../../test/wire-dispatcher.ts';
import { adoptExternal } from '../catalog/adopt-external.ts';
import { projectSchema } from '../catalog/project-schema.ts';
import type { Dialect } from '../contract/dialect.ts';
import { fakePolicy } from '../testing/index.ts';

const inputSchema = {
  type: 'object',
  properties: {
    'user name': { type: 'string' },
    filter: { type: 'object', properties: { größe: { type: 'integer' } }, additionalProperties: false },
  },
  required: ['user name'],
  additionalProperties: false,
};

async function run(dialect: Dialect, input: object) {
  const seen: object[] = [];
  const tool = adoptExternal({
    name: 'mcp__crm__find',
    description: 'Finds.',
    inputSchema,
    source: 'mcp:crm',
    family: 'crm',
    reviewedReadOnly: true,
    execute: async (given) => {
      seen.push(given);
      return 'found';
    },
  });
  const { dispatcher, deps } = wireDispatcher([tool], {
    dialect: () => dialect,
    policy: () => fakePolicy({ mode: 'autopilot' }),
  });
  deps.catalog.activate([tool.name]);
  const call = { callId: 'c', name: tool.name, argumentsText: JSON.stringify(input) };
  const [result] = await dispatcher.dispatch([call], 'complete', new AbortController().signal);
  return { result, seen };
}

it('gives a tool its own names back where the dialect had to rename them, and checks those', async () => {
  const { schema, names } = projectSchema(inputSchema, 'anthropic');
  const told = Object.keys(Object(schema.properties));
  expect(names.size).toBe(2);
  expect(told).not.toContain('user name');
  const [user = '', filter = ''] = told;
  const [size = ''] = Object.keys(Object(Object(schema.properties)[filter]).properties);
  const { result, seen } = await run('anthropic', { [user]: 'ana', [filter]: { [size]: 4 } });
  expect(result).toMatchObject({ ok: true });
  expect(seen).toEqual([{ 'user name': 'ana', filter: { größe: 4 } }]);
  const wrong = await run('anthropic', { [user]: 4 });
  expect(wrong.result).toMatchObject({ ok: false, code: 'invalid_input' });
  expect(wrong.seen).toEqual([]);
});

it('takes null for left out, at any depth, as a strict dialect makes the model say it', async () => {
  const { result, seen } = await run('openai-strict', { 'user name': 'ana', filter: { größe: null } });
  expect(result).toMatchObject({ ok: true });
  expect(seen).toEqual([{ 'user name': 'ana', filter: {} }]);
  expect((await run('openai-strict', { 'user name': null, filter: null })).result).toMatchObject({
    code: 'invalid_input',
  });
});
