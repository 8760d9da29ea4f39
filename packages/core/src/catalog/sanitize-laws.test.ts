import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import { sanitizeSchema } from './sanitize-schema.ts';

const runs = { numRuns: 1_000 };
/** A thousand worlds take their time where other suites run beside this one. */
vi.setConfig({ testTimeout: 120_000 });

const keys = ['a', 'b', 'type', 'items'];
const leafArb = fc.constantFrom<JsonObject>(
  {},
  { type: 'string' },
  { type: 'null' },
  { type: 'integer', minimum: 0 },
  { type: 'number', maximum: 3 },
  { type: 'boolean' },
  { type: ['string', 'null'] },
  { type: ['integer', 'null'], default: null },
  { enum: ['a', 1, null] },
  { const: 'a' },
  { type: 'string', enum: ['a', 'b'], description: 'one of' },
  { $ref: '#/$defs/A' },
  { type: 'array' },
  { type: 'object' },
);
type Schemas = { any: JsonObject };
const { any } = fc.letrec<Schemas>((tie) => {
  const some = fc.array(tie('any'), { minLength: 1, maxLength: 3 });
  const properties = fc.dictionary(fc.constantFrom(...keys), tie('any'), { maxKeys: 3 });
  return {
    any: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leafArb,
      some.map((anyOf): JsonObject => ({ anyOf })),
      some.map((oneOf): JsonObject => ({ oneOf, description: 'outer' })),
      some.map((allOf): JsonObject => ({ allOf })),
      tie('any').map((not): JsonObject => ({ not })),
      tie('any').map((items): JsonObject => ({ type: 'array', items })),
      tie('any').map((one): JsonObject => ({ anyOf: [one, { type: 'null' }], title: 'A' })),
      fc
        .tuple(properties, fc.subarray([...keys, 'missing']), fc.constantFrom(undefined, true, false))
        .map(([held, required, more]): JsonObject => {
          return {
            type: 'object',
            properties: held,
            required,
            ...(more !== undefined && { additionalProperties: more }),
          };
        }),
    ),
  };
});
const valueArb: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>('a', 'b', '', 0, 1, -1, 2.5, 7, true, false, null),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...keys, 'missing'), tie('value'), { maxKeys: 3 }),
  ),
})).value;
const objectArb = fc.dictionary(fc.constantFrom(...keys, 'missing'), valueArb, { maxKeys: 4 });

// Without its meta schemas compiling is cheap, and what it compiled leaves no trace in the next one.
const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  ownProperties: true,
  logger: false,
  validateSchema: false,
  meta: false,
  addUsedSchema: false,
});
const validatorOf = (schema: JsonObject) => ajv.compile(schema);

test('what a schema took before it is sanitized it takes afterwards, and sanitizing twice is sanitizing once', () => {
  let held = 0;
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...keys), any, { maxKeys: 3 }),
      fc.subarray([...keys, 'missing']),
      fc.array(objectArb, { minLength: 1, maxLength: 6 }),
      (properties, required, instances) => {
        const schema: JsonObject = { type: 'object', properties, required, $defs: { A: { type: ['string', 'null'] } } };
        const before = validatorOf(schema);
        const { schema: sanitized } = sanitizeSchema(structuredClone(schema));
        const after = validatorOf(sanitized);
        const valid = [{}, ...instances].filter((instance) => before(instance) === true);
        held += valid.length;
        expect(valid.filter((instance) => after(instance) !== true)).toEqual([]);
        expect(sanitizeSchema(sanitized).schema).toEqual(sanitized);
      },
    ),
    runs,
  );
  // Where hardly anything is valid the law says nothing.
  expect(held).toBeGreaterThan(300);
});
