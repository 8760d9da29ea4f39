import type { JsonObject, JsonValue } from '../contract/json.ts';

/** Where schemas stand in a schema; everything else (enum, const, default, examples …) is data and never walked. */
export const schemaKeys: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);
export const schemaMapKeys: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
export const unionKeys = ['anyOf', 'oneOf', 'allOf'] as const;

/** They describe and never decide; in a merge the outer one wins. */
export const annotationKeys: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]);

export function isPlainObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSchema(value: JsonValue | undefined): value is JsonObject | boolean {
  return typeof value === 'boolean' || isPlainObject(value);
}

/** Own keys only, and safe for a key named `__proto__`. */
export function objectOf(entries: Iterable<readonly [string, JsonValue]>): JsonObject {
  return Object.fromEntries(entries);
}

export function without(schema: JsonObject, ...keys: readonly string[]): JsonObject {
  return objectOf(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

export function own(schema: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

export function equalJson(a: JsonValue, b: JsonValue): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isPlainObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(own(value, key) ?? null)}`).join(',')}}`;
}

/** Values once each, in their first order. */
export function unique(values: readonly JsonValue[]): JsonValue[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = canonical(value);
    return seen.has(text) ? false : seen.add(text);
  });
}

/** Pointer step, escaped as RFC 6901 says. */
export function step(path: string, ...parts: readonly (string | number)[]): string {
  return [path, ...parts.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

/** What a local reference points at; undefined where it leads nowhere or out of the document. */
export function resolveRef(root: JsonValue, ref: string): JsonValue | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  return ref.slice(2).split('/').reduce<JsonValue | undefined>(follow, root);
}

/** The same place once tuples stand under `prefixItems`. */
export function relocateRef(root: JsonValue, ref: string): string {
  if (!/\/(?:items|additionalItems)(?:\/|$)/.test(ref)) return ref;
  let at: JsonValue | undefined = root;
  const parts = ref
    .slice(2)
    .split('/')
    .map((part) => {
      const tuple = isPlainObject(at) && Array.isArray(own(at, 'items'));
      at = follow(at, part);
      if (!tuple) return part;
      return part === 'items' ? 'prefixItems' : part === 'additionalItems' ? 'items' : part;
    });
  return `#/${parts.join('/')}`;
}

function follow(at: JsonValue | undefined, part: string): JsonValue | undefined {
  const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
  if (Array.isArray(at)) return /^\d+$/.test(key) ? at[Number(key)] : undefined;
  return isPlainObject(at) ? own(at, key) : undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    if (cause instanceof URIError) return part;
    throw cause;
  }
}
