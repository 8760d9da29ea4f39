import type { JsonObject, JsonValue } from '../contract/json.ts';
import { isPlainObject, objectOf, own, unionKeys, unique, without } from './schema-keywords.ts';

/** Source: OpenAI structured outputs, autumn 2026; `mostOptional` is ours: beyond it models drown in nulls. */
const deepest = 10;
const mostProperties = 5_000;
const mostOptional = 100;
const mostEnum = 1_000;

/** Strict mode's form, or null where it cannot say what the tool takes: an open object is never closed. */
export function closeStrictly(schema: JsonObject): JsonObject | null {
  const tally = { properties: 0, optional: 0, enums: 0 };
  try {
    const closed = new Closer(tally).object(schema, 0);
    return tally.properties > mostProperties || tally.optional > mostOptional || tally.enums > mostEnum ? null : closed;
  } catch (cause) {
    if (cause instanceof Inexpressible) return null;
    throw cause;
  }
}

class Inexpressible extends Error {}

class Closer {
  private readonly tally: { properties: number; optional: number; enums: number };

  constructor(tally: { properties: number; optional: number; enums: number }) {
    this.tally = tally;
  }

  object(schema: JsonObject, depth: number): JsonObject {
    if (depth > deepest) throw new Inexpressible('nested too deeply');
    const values = own(schema, 'enum');
    if (Array.isArray(values)) this.tally.enums += values.length;
    if (Object.hasOwn(schema, '$ref')) return { $ref: schema.$ref ?? '' };
    const isObject = [own(schema, 'type') ?? []].flat().includes('object');
    return isObject ? this.closed(schema, depth) : this.children(schema, depth);
  }

  private closed(schema: JsonObject, depth: number): JsonObject {
    const properties = own(schema, 'properties');
    const names = isPlainObject(properties) ? Object.keys(properties) : [];
    const extra = own(schema, 'additionalProperties');
    const openMap = (extra !== undefined && extra !== false) || (names.length === 0 && extra !== false && depth > 0);
    if (openMap || names.includes('__proto__')) throw new Inexpressible('a free-form object');
    const told = own(schema, 'description');
    if (typeof told === 'string' && /\((?:patternProperties|additionalProperties)\b/.test(told))
      throw new Inexpressible('a map');
    const required = own(schema, 'required');
    this.tally.properties += names.length;
    const entries = names.map((name): [string, JsonValue] => {
      const property = isPlainObject(properties) ? own(properties, name) : undefined;
      if (!isPlainObject(property)) throw new Inexpressible('an untyped property');
      const closed = this.object(property, depth + 1);
      if (Array.isArray(required) && required.includes(name)) return [name, closed];
      this.tally.optional += 1;
      return [name, orNull(closed)];
    });
    return {
      ...this.children(without(schema, 'properties'), depth),
      properties: objectOf(entries),
      required: names,
      additionalProperties: false,
    };
  }

  private children(schema: JsonObject, depth: number): JsonObject {
    return objectOf(
      Object.entries(schema).map(([key, value]): [string, JsonValue] => {
        if (key === 'items' && isPlainObject(value)) return [key, this.object(value, depth + 1)];
        if ((key === '$defs' || key === 'definitions') && isPlainObject(value)) {
          return [
            key,
            objectOf(
              Object.entries(value).map(([name, one]) => [name, isPlainObject(one) ? this.object(one, 1) : one]),
            ),
          ];
        }
        if (!unionKeys.some((one) => one === key) || !Array.isArray(value)) return [key, value];
        return [key, value.map((one) => (isPlainObject(one) ? this.object(one, depth) : one))];
      }),
    );
  }
}

function orNull(schema: JsonObject): JsonObject {
  const type = own(schema, 'type');
  const values = own(schema, 'enum');
  if (type !== undefined && !Object.hasOwn(schema, 'const')) {
    const nullable: JsonObject = { ...schema, type: unique([type, 'null'].flat()) };
    return Array.isArray(values) ? { ...nullable, enum: unique([...values, null]) } : nullable;
  }
  const any = own(schema, 'anyOf');
  if (Array.isArray(any)) return { ...schema, anyOf: unique([...any, { type: 'null' }]) };
  return { anyOf: [schema, { type: 'null' }] };
}
