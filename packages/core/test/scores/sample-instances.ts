import { isPlainObject, resolveRef } from '../../src/catalog/schema-keywords.ts';
import type { JsonObject, JsonValue } from '../../src/contract/json.ts';

const deepest = 6;

/** A few arguments that such a schema probably takes: the required properties alone, and all of them. */
export function sampleInstances(schema: JsonObject): JsonObject[] {
  return [false, true].flatMap((all) => {
    const sampled = sample(schema, { root: schema, all, depth: 0 });
    return isPlainObject(sampled) ? [sampled] : [];
  });
}

type Sampling = { root: JsonObject; all: boolean; depth: number };

function sample(schema: JsonValue | undefined, at: Sampling): JsonValue {
  if (!isPlainObject(schema) || at.depth > deepest) return 'x';
  const inner = { ...at, depth: at.depth + 1 };
  if (typeof schema.$ref === 'string') return sample(resolveRef(at.root, schema.$ref), inner);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum[0] !== undefined) return schema.enum[0];
  for (const union of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(union) && schema.properties === undefined) return sample(union[0], inner);
  }
  const type = [schema.type ?? []].flat()[0] ?? (schema.properties === undefined ? 'string' : 'object');
  return type === 'object' ? sampleObject(schema, inner) : sampleValue(String(type), schema, inner);
}

function sampleObject(schema: JsonObject, at: Sampling): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isPlainObject(schema.properties) ? Object.entries(schema.properties) : [];
  const chosen = properties.filter(([name]) => at.all || required.includes(name));
  return Object.fromEntries(chosen.map(([name, property]) => [name, sample(property, at)]));
}

function sampleValue(type: string, schema: JsonObject, at: Sampling): JsonValue {
  if (type === 'array') return at.all || Number(schema.minItems ?? 0) > 0 ? [sample(schema.items, at)] : [];
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  const lowest = Number(schema.minimum ?? schema.exclusiveMinimum ?? 0);
  if (type === 'integer' || type === 'number') return schema.exclusiveMinimum === undefined ? lowest : lowest + 1;
  if (typeof schema.format === 'string') return formats[schema.format] ?? 'x';
  return 'x'.repeat(Math.max(1, Number(schema.minLength ?? 1)));
}

const formats: Record<string, string> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T10:00:00Z',
  email: 'a@example.com',
  uri: 'https://example.com/',
  uuid: '3d0c9f4e-8f0a-4a59-9d2e-0f2a1c1f7c11',
};
