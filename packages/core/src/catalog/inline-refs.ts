import type { JsonObject, JsonValue } from '../contract/json.ts';
import {
  isPlainObject,
  objectOf,
  own,
  resolveRef,
  schemaKeys,
  schemaMapKeys,
  unionKeys,
  without,
} from './schema-keywords.ts';

/** Levels of one definition within itself; deeper it stands for anything of its kind. */
const deepest = 3;
/** Schemas written out in all: references that fan out are cut instead of exploding. */
const mostSchemas = 600;

/** Every reference written out, so that no `$ref` and no definitions are left. */
export function inlineRefs(schema: JsonObject): JsonObject {
  const budget = { left: mostSchemas };
  const written = new Inliner(schema, budget).object(schema, []);
  return without(written, '$defs', 'definitions');
}

class Inliner {
  private readonly root: JsonObject;
  private readonly budget: { left: number };

  constructor(root: JsonObject, budget: { left: number }) {
    this.root = root;
    this.budget = budget;
  }

  object(schema: JsonObject, trail: readonly string[]): JsonObject {
    const ref = own(schema, '$ref');
    if (typeof ref === 'string') return this.written(schema, ref, trail);
    return objectOf(
      Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] =>
        key === '$defs' || key === 'definitions' ? [] : [[key, this.child(key, value, trail)]],
      ),
    );
  }

  private written(schema: JsonObject, ref: string, trail: readonly string[]): JsonObject {
    const target = resolveRef(this.root, ref);
    const rest = without(schema, '$ref');
    if (!isPlainObject(target)) return rest;
    this.budget.left -= 1;
    if (this.budget.left < 0 || trail.filter((one) => one === ref).length >= deepest)
      return { ...kindOnly(target), ...rest };
    const body = this.object(target, [...trail, ref]);
    const siblings = this.object(rest, trail);
    const clash = Object.keys(siblings).some(
      (key) => key !== 'description' && key !== 'title' && key !== 'default' && Object.hasOwn(body, key),
    );
    return clash ? { allOf: [body, siblings] } : { ...body, ...siblings };
  }

  private child(key: string, value: JsonValue, trail: readonly string[]): JsonValue {
    const inner = (one: JsonValue) => (isPlainObject(one) ? this.object(one, trail) : one);
    if (key === 'items' || schemaKeys.has(key)) return inner(value);
    if (schemaMapKeys.has(key) && isPlainObject(value))
      return objectOf(Object.entries(value).map(([name, one]) => [name, inner(one)]));
    const list = key === 'prefixItems' || unionKeys.some((one) => one === key);
    return list && Array.isArray(value) ? value.map(inner) : value;
  }
}

function kindOnly(target: JsonObject): JsonObject {
  const type = own(target, 'type');
  if (type === 'object') return { type, additionalProperties: true };
  if (type === 'array') return { type, items: {} };
  return type === undefined ? {} : { type };
}
