import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type CoreSchema,
  type SuiteSchema,
  scoreCoreSchema,
  scoreSuiteSchemas,
} from '../../test/scores/score-schemas.ts';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import { ownCases, sharedCases } from '../testing/read-cases.ts';
import { sanitizeSchema } from './sanitize-schema.ts';

const met = { failure: null, wrong: false, forbidden: false };

describe('core vectors', () => {
  it.each(ownCases<CoreSchema>('core/schema_sanitize.json'))('$id', (row) => {
    expect(scoreCoreSchema(row)).toMatchObject(met);
  });
});

describe('details', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'an enum that joins null',
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
      { type: 'string', enum: ['a', null], nullable: true },
    ],
    [
      'a bare reference or null stays',
      { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] },
      { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] },
    ],
    ['an empty union stays', { anyOf: [] }, { anyOf: [] }],
    [
      'keywords that read one another stay apart',
      { additionalProperties: false, allOf: [{ properties: { a: {} } }] },
      { additionalProperties: false, allOf: [{ properties: { a: {} } }] },
    ],
    [
      'a negation keeps its words',
      { not: { type: 'object', required: ['a'] } },
      { not: { type: 'object', properties: {}, required: ['a'] } },
    ],
    ['a negation that was opened goes', { not: { type: 'mystery' } }, {}],
    [
      'own required is lifted',
      { type: 'object', properties: { a: { type: 'str', required: true } } },
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    ],
    [
      'the outer description wins',
      { description: 'outer', allOf: [{ type: 'string', description: 'inner' }] },
      { description: 'outer', type: 'string' },
    ],
    [
      'a title that repeats the key',
      { type: 'object', properties: { user_id: { title: 'User Id', type: 'string' } } },
      { type: 'object', properties: { user_id: { type: 'string' } } },
    ],
  ])('%s', (_, inner, expected) => {
    const root = { type: 'object', properties: { x: inner }, $defs: { A: { type: 'string' } } };
    expect(Object(sanitizeSchema(root).schema.properties).x).toEqual(expected);
  });

  it('never changes a prototype', () => {
    const schema: JsonObject = JSON.parse('{"type":"object","properties":{"__proto__":{"type":["string","null"]}}}');
    expect(JSON.stringify(sanitizeSchema(schema).schema)).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"string","nullable":true}}}',
    );
  });
});

describe.each([
  ['json-schema/draft7.jsonl', 'draft7'],
  ['json-schema/draft2020-12.jsonl', '2020-12'],
] as const)('%s', (file, draft) => {
  const suite = sharedCases<SuiteSchema>(file);
  test.runIf(suite)('instances valid before stay valid, and twice is once', async () => {
    const { rows, figures } = await scoreSuiteSchemas(suite ?? [], draft);
    process.stdout.write(`${file}: ${figures.join('\n')}\n`);
    expect(rows.filter((row) => row.failure !== null)).toEqual([]);
  });
});

test('any schema survives, and twice is once', () => {
  const word = fc.constantFrom(
    'type',
    'properties',
    'required',
    'anyOf',
    'oneOf',
    'allOf',
    'items',
    'enum',
    'default',
    'not',
    '$ref',
    'additionalProperties',
    'nullable',
    'title',
    'a',
  );
  const leaf = fc.constantFrom<JsonValue>(
    'object',
    'string',
    'null',
    'a',
    '#/properties/a',
    null,
    true,
    1,
    ['string', 'null'],
    ['a'],
  );
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie('tree'), { maxLength: 2 }),
      fc.dictionary(word, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(word, tree), (schema) => {
      const once = sanitizeSchema(schema).schema;
      expect(sanitizeSchema(once).schema).toEqual(once);
    }),
    { numRuns: 1_000 },
  );
});
