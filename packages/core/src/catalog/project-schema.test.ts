import { describe, expect, it, test } from 'vitest';
import { type DirtySchema, scoreDirtySchema, scoreToolDump } from '../../test/scores/score-schemas.ts';
import type { JsonObject } from '../contract/json.ts';
import { ownCases, sharedCases } from '../testing/read-cases.ts';
import { readCases } from '../testing/run-cases.ts';
import { projectSchema, restoreNames } from './project-schema.ts';
import { sanitizeSchema } from './sanitize-schema.ts';

describe('dirty schemas in every dialect', () => {
  it.each(ownCases<DirtySchema>('json-schema/dirty.jsonl'))('$id', async (row) => {
    expect(await scoreDirtySchema(row)).toMatchObject({ failure: null, wrong: false, forbidden: false });
  });
});

describe('project-schema.cases.json', () => {
  it.each(readCases<DirtySchema>(new URL('project-schema.cases.json', import.meta.url)))('$id', async (row) => {
    expect(await scoreDirtySchema(row)).toMatchObject({ failure: null, wrong: false, forbidden: false });
  });
});

describe('real servers', () => {
  it.each(['github', 'filesystem', 'everything'])('%s', async (name) => {
    const dump = sharedCases(`mcp/tools-list/modelcontextprotocol__server-${name}.json`);
    if (dump === null) return;
    const { rows } = await scoreToolDump(Object(dump), name);
    expect(rows.filter((row) => row.failure !== null)).toEqual([]);
  });
});

describe('strict mode', () => {
  it.each<[string, JsonObject, boolean]>([
    ['closed and optional', { type: 'object', properties: { a: { type: 'string' } } }, true],
    [
      'an open object',
      {
        type: 'object',
        properties: { a: { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: true } },
      },
      false,
    ],
    [
      'a map',
      { type: 'object', properties: { a: { type: 'object', additionalProperties: { type: 'string' } } } },
      false,
    ],
    ['an untyped value', { type: 'object', properties: { a: {} } }, false],
    [
      'a recursive type',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/A' } },
        required: ['a'],
        $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } } },
      },
      true,
    ],
  ])('%s', (_, schema, strict) => {
    expect(projectSchema(sanitizeSchema(schema).schema, 'openai-strict').strict).toBe(strict);
  });
});

test('renamed properties come back under their own names', () => {
  const long = 'p'.repeat(80);
  const { schema, names } = projectSchema(
    {
      type: 'object',
      properties: { [long]: { type: 'string' }, 'a b': { type: 'object', properties: { 'c d': {} } } },
    },
    'anthropic',
  );
  const [first = '', second = ''] = Object.keys(Object(schema.properties));
  const inner = Object.keys(Object(schema.properties)[second].properties)[0] ?? '';
  expect(restoreNames({ [first]: 'x', [second]: { [inner]: 1 } }, names)).toEqual({ [long]: 'x', 'a b': { 'c d': 1 } });
});
