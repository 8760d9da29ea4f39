import { Ajv2020 } from 'ajv/dist/2020.js';
import { dialectRules } from '../../src/catalog/dialects.ts';
import type { ProjectedSchema } from '../../src/catalog/project-schema.ts';
import { isPlainObject, schemaKeys, schemaMapKeys, unionKeys } from '../../src/catalog/schema-keywords.ts';
import type { Dialect } from '../../src/contract/dialect.ts';
import type { JsonObject, JsonValue } from '../../src/contract/json.ts';

export const dialects: readonly Dialect[] = ['plain', 'openai', 'openai-strict', 'anthropic', 'gemini', 'deepseek'];

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const largest = 100_000;
/** Source: cases/json-schema/provider-limits.json, openai-strict. */
const strictLimits = { depth: 10, properties: 5_000, text: 120_000, enums: 1_000 };

/** What cases/json-schema/provider-limits.json says, as far as a machine can check it; empty where all holds. */
export function lintSchema(projected: ProjectedSchema, dialect: Dialect): string[] {
  const { schema, strict } = projected;
  const found: string[] = [];
  if (schema.type !== 'object') found.push('the root is no object');
  if (dialect !== 'plain' && unionKeys.some((key) => Object.hasOwn(schema, key))) found.push('a union at the root');
  if (dialect === 'openai-strict' && strict) found.push(...lintLimits(schema));
  if (dialect === 'anthropic' && !isModern(schema)) found.push('not valid by draft 2020-12');
  for (const node of nodesOf(schema)) {
    const where = JSON.stringify(node).slice(0, 120);
    found.push(...lintNode(node, dialect).map((words) => `${words}: ${where}`));
    if (strict) found.push(...lintStrict(node).map((words) => `${words}: ${where}`));
  }
  if (JSON.stringify(schema).length > largest) found.push('larger than 100 kB');
  return found;
}

const metaSchema = new Ajv2020({ strict: false, logger: false, validateFormats: false });

function isModern(schema: JsonObject): boolean {
  return metaSchema.validateSchema(schema) === true;
}

type Rule = readonly [words: string, isBroken: (node: JsonObject, dialect: Dialect) => boolean];

const has = (node: JsonObject, key: string) => Object.hasOwn(node, key);
const typesOf = (node: JsonObject) => [node.type ?? []].flat().map(String);

const rules: readonly Rule[] = [
  ['unknown type', (node) => typesOf(node).some((type) => !types.includes(type))],
  [
    'array without items',
    (node) => typesOf(node).includes('array') && !has(node, 'items') && !has(node, 'prefixItems'),
  ],
  [
    'object without properties',
    (node, dialect) =>
      !['plain', 'anthropic'].includes(dialect) &&
      node.type === 'object' &&
      !has(node, 'properties') &&
      !has(node, 'additionalProperties'),
  ],
  ['nullable', (node, dialect) => dialect !== 'gemini' && has(node, 'nullable')],
  [
    'a reference',
    (node, dialect) => dialectRules[dialect].refs === 'inline' && (has(node, '$ref') || has(node, '$defs')),
  ],
  [
    'a property name',
    (node, dialect) =>
      dialect === 'anthropic' &&
      isPlainObject(node.properties) &&
      Object.keys(node.properties).some((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name)),
  ],
  [
    'a description that is too long',
    ({ description }, dialect) =>
      typeof description === 'string' && [...description].length > dialectRules[dialect].descriptionLimit,
  ],
];

const geminiRules: readonly Rule[] = [
  ['unknown keyword', (node) => Object.keys(node).some((key) => !dialectRules.gemini.keywords?.has(key))],
  ['type list', (node) => Array.isArray(node.type)],
  [
    'enum of more than strings',
    (node) => Array.isArray(node.enum) && !node.enum.every((value) => typeof value === 'string' && value !== ''),
  ],
  ['no type', (node) => node.type === undefined && node.anyOf === undefined],
];

function lintNode(node: JsonObject, dialect: Dialect): string[] {
  const all = dialect === 'gemini' ? [...rules, ...geminiRules] : rules;
  return all.flatMap(([words, isBroken]) => (isBroken(node, dialect) ? [words] : []));
}

function lintStrict(node: JsonObject): string[] {
  const found: string[] = [];
  const keywords = dialectRules['openai-strict'].keywords;
  if (Object.keys(node).some((key) => !keywords?.has(key))) found.push('unknown keyword');
  if (!typesOf(node).includes('object')) return found;
  if (node.additionalProperties !== false) found.push('open object');
  const names = Object.keys(isPlainObject(node.properties) ? node.properties : {});
  if (JSON.stringify(node.required) !== JSON.stringify(names)) found.push('optional property');
  return found;
}

function lintLimits(schema: JsonObject): string[] {
  const found: string[] = [];
  const nodes = nodesOf(schema);
  const names = nodes.flatMap((node) => (isPlainObject(node.properties) ? Object.keys(node.properties) : []));
  const enums = nodes.flatMap((node) => (Array.isArray(node.enum) ? node.enum : []));
  const text = [...names, ...enums.filter((value) => typeof value === 'string')].join('').length;
  if (names.length > strictLimits.properties) found.push(`${names.length} properties`);
  if (enums.length > strictLimits.enums) found.push(`${enums.length} enum values`);
  if (text > strictLimits.text) found.push(`${text} characters of names and values`);
  if (depthOf(schema) > strictLimits.depth) found.push(`nested ${depthOf(schema)} deep`);
  return found;
}

function depthOf(node: JsonObject): number {
  const inner = Math.max(0, ...childrenOf(node).map(depthOf));
  return inner + (typesOf(node).some((type) => type === 'object' || type === 'array') ? 1 : 0);
}

/** A schema and all schemas inside it; what stands under enum, const or default is data. */
export function nodesOf(node: JsonObject): JsonObject[] {
  return [node, ...childrenOf(node).flatMap(nodesOf)];
}

function childrenOf(node: JsonObject): JsonObject[] {
  return Object.entries(node).flatMap(([key, value]): JsonObject[] => {
    if (key === 'items' || schemaKeys.has(key)) return objectsIn([value]);
    if (schemaMapKeys.has(key) && isPlainObject(value)) return objectsIn(Object.values(value));
    const isList = key === 'prefixItems' || unionKeys.some((one) => one === key);
    return isList && Array.isArray(value) ? objectsIn(value) : [];
  });
}

function objectsIn(values: readonly JsonValue[]): JsonObject[] {
  return values.filter((value) => isPlainObject(value));
}
