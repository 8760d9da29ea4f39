import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import { ownCases, sharedCases } from '../testing/read-cases.ts';
import { sanitizeSchema } from './sanitize-schema.ts';

type Dirty = { id: string; schema: JsonObject; accepts: JsonValue[]; rejects: JsonValue[]; failClosed?: boolean };
const options = {
  strict: false,
  validateFormats: false,
  ownProperties: true,
  logger: false,
  validateSchema: false,
} as const;

describe('core vectors', () => {
  it.each(ownCases<{ id: string; schema: JsonObject; expect: JsonObject }>('core/schema_sanitize.json'))(
    '$id',
    (row) => {
      const { schema } = sanitizeSchema(row.schema);
      expect(schema).toEqual(row.expect);
      expect(sanitizeSchema(schema).schema).toEqual(schema);
    },
  );
});

describe('dirty schemas', () => {
  const ajv = new Ajv2020(options);
  const rows = ownCases<Dirty>('json-schema/dirty.jsonl').filter((row) => !row.failClosed);
  it.each(rows)('$id keeps what it accepts', (row) => {
    const { schema } = sanitizeSchema(row.schema);
    const validate = ajv.compile(schema);
    for (const instance of row.accepts) expect(validate(instance), JSON.stringify(schema)).toBe(true);
    expect(sanitizeSchema(schema)).toEqual({ schema, reports: [] });
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

type SuiteRow = { id: string; schema: JsonValue; tests: { data: JsonValue; valid: boolean }[] };
describe.each([
  ['json-schema/draft7.jsonl', () => new Ajv(options)],
  ['json-schema/draft2020-12.jsonl', () => new Ajv2020(options)],
] as const)('%s', (file, validator) => {
  const rows = sharedCases<SuiteRow>(file);
  test.runIf(rows)('instances valid before stay valid, and twice is once', () => {
    const draft = validator();
    const modern = new Ajv2020(options);
    let stillInvalid = 0;
    let invalid = 0;
    for (const row of rows ?? []) {
      const wrapped: JsonObject = { type: 'object', properties: { x: moved(row.schema) } };
      const { schema } = sanitizeSchema(wrapped);
      expect(sanitizeSchema(schema).schema, row.id).toEqual(schema);
      const before = compiled(draft, wrapped);
      const after = modern.compile(schema);
      if (!before) continue;
      for (const { data } of row.tests) {
        const instance = { x: data };
        if (before(instance))
          expect(after(instance), `${row.id} ${JSON.stringify(schema)} ${JSON.stringify(data)}`).toBe(true);
        else {
          invalid += 1;
          stillInvalid += Number(!after(instance));
        }
      }
    }
    process.stdout.write(`${file}: ${stillInvalid} of ${invalid} invalid instances stay invalid\n`);
  });
});

/** Null for the few the validator itself refuses. */
function compiled(ajv: Ajv | Ajv2020, schema: JsonObject) {
  try {
    return ajv.compile(schema);
  } catch (cause) {
    process.stdout.write(`not compiled: ${String(cause)}\n`);
    return null;
  }
}

/** References of the suite start at its root, which now is one property. */
function moved(schema: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `#/properties/x${value.slice(1)}` : value,
  );
}

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
