import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import { ownCases, sharedCases } from '../testing/read-cases.ts';
import { type Dialect, dialectRules } from './dialects.ts';
import { type ProjectedSchema, projectSchema, restoreNames } from './project-schema.ts';
import { sanitizeSchema } from './sanitize-schema.ts';
import { isPlainObject, resolveRef, schemaKeys, schemaMapKeys, unionKeys } from './schema-keywords.ts';

type Dirty = { id: string; schema: JsonObject; accepts: JsonObject[]; failClosed?: boolean };
const rows = ownCases<Dirty>('json-schema/dirty.jsonl').filter((row) => !row.failClosed);
const dialects: Dialect[] = ['plain', 'openai', 'openai-strict', 'anthropic', 'gemini', 'deepseek'];
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** What cases/json-schema/provider-limits.json says, as far as a machine can check it. */
function lint(projected: ProjectedSchema, dialect: Dialect): string[] {
  const { schema, strict } = projected;
  const found: string[] = [];
  if (schema.type !== 'object') found.push('the root is no object');
  if (dialect !== 'plain' && unionKeys.some((key) => Object.hasOwn(schema, key))) found.push('a union at the root');
  for (const node of nodesOf(schema)) found.push(...lintNode(node, dialect, strict));
  if (JSON.stringify(schema).length > 100_000) found.push('larger than 100 kB');
  return found;
}

function lintNode(node: JsonObject, dialect: Dialect, strict: boolean): string[] {
  const found: string[] = [];
  const check = (bad: boolean, words: string) => bad && found.push(`${words}: ${JSON.stringify(node).slice(0, 200)}`);
  const named = [node.type ?? []].flat();
  check(
    named.some((type) => !types.includes(String(type))),
    'unknown type',
  );
  check(
    named.includes('array') && !Object.hasOwn(node, 'items') && !Object.hasOwn(node, 'prefixItems'),
    'array without items',
  );
  check(
    dialect !== 'plain' &&
      dialect !== 'anthropic' &&
      node.type === 'object' &&
      !Object.hasOwn(node, 'properties') &&
      !Object.hasOwn(node, 'additionalProperties'),
    'object without properties',
  );
  check(dialect !== 'gemini' && Object.hasOwn(node, 'nullable'), 'nullable');
  if (dialectRules[dialect].refs === 'inline')
    check(Object.hasOwn(node, '$ref') || Object.hasOwn(node, '$defs'), 'a reference');
  if (dialect === 'anthropic' && isPlainObject(node.properties))
    check(
      Object.keys(node.properties).some((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name)),
      'property name',
    );
  if (dialect === 'gemini') {
    check(
      Object.keys(node).some((key) => !dialectRules.gemini.keywords?.has(key)),
      'unknown keyword',
    );
    check(Array.isArray(node.type), 'type list');
    check(
      Array.isArray(node.enum) && !node.enum.every((value) => typeof value === 'string' && value !== ''),
      'enum of more than strings',
    );
    check(node.type === undefined && node.anyOf === undefined, 'no type');
  }
  if (!strict) return found;
  check(
    Object.keys(node).some((key) => !dialectRules['openai-strict'].keywords?.has(key)),
    'unknown keyword',
  );
  if (named.includes('object')) {
    check(node.additionalProperties !== false, 'open object');
    check(JSON.stringify(node.required) !== JSON.stringify(Object.keys(Object(node.properties))), 'optional property');
  }
  return found;
}

function nodesOf(node: JsonValue): JsonObject[] {
  if (!isPlainObject(node)) return [];
  return [
    node,
    ...Object.entries(node).flatMap(([key, value]) => {
      if (key === 'items' || schemaKeys.has(key)) return nodesOf(value);
      if (schemaMapKeys.has(key) && isPlainObject(value)) return Object.values(value).flatMap(nodesOf);
      return (key === 'prefixItems' || unionKeys.some((one) => one === key)) && Array.isArray(value)
        ? value.flatMap(nodesOf)
        : [];
    }),
  ];
}

/** In strict mode what is left out is null; renamed properties come under their new names. */
function asSent(instance: JsonValue, place: JsonValue, projected: ProjectedSchema): JsonValue {
  const schema =
    isPlainObject(place) && typeof place.$ref === 'string' ? (resolveRef(projected.schema, place.$ref) ?? {}) : place;
  if (Array.isArray(instance)) return instance.map((one) => asSent(one, Object(schema).items, projected));
  if (!isPlainObject(instance) || !isPlainObject(schema) || !isPlainObject(schema.properties)) return instance;
  const names = new Map([...projected.names].map(([to, from]) => [from, to]));
  const entries = Object.entries(instance).map(([key, value]): [string, JsonValue] => {
    const name = names.get(key) ?? key;
    return [name, asSent(value, Object(schema.properties)[name], projected)];
  });
  const nulls = projected.strict ? Object.keys(schema.properties).map((name): [string, JsonValue] => [name, null]) : [];
  return Object.fromEntries([...nulls, ...entries]);
}

/** OpenAPI's `nullable` beside a union, in the words of JSON Schema that the validator knows. */
function withNullMembers(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    if (!isPlainObject(value) || value.nullable !== true || value.type !== undefined || !Array.isArray(value.anyOf))
      return value;
    const { nullable: _nullable, anyOf, ...rest } = value;
    return { ...rest, anyOf: [...anyOf, { type: 'null' }] };
  });
}

const options = {
  strict: false,
  validateFormats: false,
  ownProperties: true,
  logger: false,
  validateSchema: false,
} as const;

describe.each(dialects)('%s', (dialect) => {
  const ajv = new Ajv2020(options);
  it.each(rows)('$id', (row) => {
    const projected = projectSchema(sanitizeSchema(row.schema).schema, dialect);
    expect(lint(projected, dialect)).toEqual([]);
    const validate = ajv.compile(withNullMembers(projected.schema));
    for (const instance of row.accepts) {
      const sent = asSent(instance, projected.schema, projected);
      expect(validate(sent), JSON.stringify([projected.schema, sent, validate.errors]).slice(0, 2_000)).toBe(true);
    }
  });

  const dumps = ['github', 'filesystem', 'everything'].map((name) =>
    sharedCases(`mcp/tools-list/modelcontextprotocol__server-${name}.json`),
  );
  test.runIf(dumps.every((dump) => dump !== null))('real servers', () => {
    for (const dump of dumps) {
      const tools: { name: string; inputSchema: JsonObject }[] = Array.isArray(dump) ? dump : Object(dump).tools;
      for (const tool of tools) {
        const projected = projectSchema(sanitizeSchema(tool.inputSchema).schema, dialect);
        expect(lint(projected, dialect), tool.name).toEqual([]);
        ajv.compile(withNullMembers(projected.schema));
      }
    }
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
