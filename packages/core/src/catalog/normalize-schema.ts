import type { JsonObject, JsonValue } from '../contract/json.ts';
import { foldNullable, mergeSingle } from './merge-unions.ts';
import { hasWrongDefault, type Report, repairKeywords } from './repair-keywords.ts';
import {
  isPlainObject,
  objectOf,
  own,
  relocateRef,
  resolveRef,
  schemaKeys,
  schemaMapKeys,
  step,
  unionKeys,
  without,
} from './schema-keywords.ts';

export type NormalizedSchema = { schema: JsonObject; reports: string[] };

/** Deeper than any tool's arguments; walks over schemas recurse. */
const maxDepth = 100;
const mostPasses = 6;

/**
 * The same meaning in the dialect-free form every projection starts from: nullable folded, unions of one merged,
 * references kept, malformed keywords mended or opened. Whatever was valid before stays valid; twice is once.
 */
export function normalizeSchema(schema: JsonObject): NormalizedSchema {
  const reports: string[] = [];
  let current = schema;
  // What one pass opens may be what a reference led to, and what it folds is below no union any more: another pass sees.
  for (let passes = 0, changed = true; changed && passes < mostPasses; passes += 1) {
    const before = reports.length;
    const walk = new Walk(current, referencesOf(current), (path, words) => reports.push(`${path || 'root'}: ${words}`));
    current = walk.object(current, { path: '', depth: 0, composed: false, key: null });
    changed = walk.folded || reports.length !== before;
  }
  return { schema: current, reports };
}

/** Arguments are always an object, so the root may say so where it only implied it. */
function rootObject(schema: JsonObject): JsonObject {
  const type = own(schema, 'type');
  const implied = type === undefined || (Array.isArray(type) && type.includes('object'));
  return implied ? { ...without(schema, 'nullable'), type: 'object' } : schema;
}

type Place = {
  path: string;
  depth: number;
  /** Below a composition or condition: `required` may name what another member defines. */
  composed: boolean;
  /** The property's name, where the schema is one. */
  key: string | null;
};

class Walk {
  private readonly root: JsonObject;
  private readonly targets: readonly string[];
  private readonly report: Report;
  private reported = 0;
  /** A union was taken away. */
  folded = false;

  constructor(root: JsonObject, targets: readonly string[], report: Report) {
    this.root = root;
    this.targets = targets;
    this.report = (path, words) => {
      this.reported += 1;
      report(path, words);
    };
  }

  object(schema: JsonObject, place: Place): JsonObject {
    let node = repairKeywords(schema, place.path, this.report);
    if (place.path === '') node = rootObject(node);
    node = this.reference(node, place.path);
    node = this.children(node, place);
    // Folding may leave a union of one, merging may bring a foldable one to the surface.
    for (let before: JsonObject | null = null; before !== node; ) {
      before = node;
      if (!this.isAddressed(place.path)) node = mergeSingle(foldNullable(node));
      if (node !== before) this.folded = true;
    }
    return this.finish(node, place);
  }

  private schema(value: JsonValue, place: Place): JsonValue {
    if (typeof value === 'boolean') return value;
    if (!isPlainObject(value)) {
      this.report(place.path, 'opened: this is no schema');
      return {};
    }
    if (place.depth > maxDepth) {
      this.report(place.path, `opened: nested deeper than ${maxDepth}`);
      return {};
    }
    return this.object(value, place);
  }

  private children(node: JsonObject, place: Place): JsonObject {
    const opened = new Set<string>();
    const walked = Object.entries(node).map(([key, value]): [string, JsonValue] => {
      const reportsBefore = this.reported;
      const child = this.child(key, value, place);
      if (this.reported > reportsBefore) opened.add(key);
      return [key, child];
    });
    return loosen(objectOf(walked), opened);
  }

  private child(key: string, value: JsonValue, place: Place): JsonValue {
    const depth = place.depth + 1;
    const path = step(place.path, key);
    if (key === 'items' || schemaKeys.has(key)) {
      const composed = place.composed || ['not', 'if', 'then', 'else'].includes(key);
      return this.schema(value, { path, depth, composed, key: null });
    }
    if (schemaMapKeys.has(key) && isPlainObject(value)) {
      const composed = place.composed || key === 'dependentSchemas';
      const entry = (name: string, inner: JsonValue) =>
        this.schema(inner, { path: step(path, name), depth, composed, key: key === 'properties' ? name : null });
      return objectOf(Object.entries(value).map(([name, inner]) => [name, entry(name, inner)]));
    }
    const union = unionKeys.some((one) => one === key);
    if ((union || key === 'prefixItems') && Array.isArray(value)) {
      return value.map((inner, at) =>
        this.schema(inner, { path: step(path, at), depth, composed: place.composed || union, key: null }),
      );
    }
    return value;
  }

  /** A reference out of the document, to nowhere or in a circle opens the place; nothing is ever fetched. */
  private reference(schema: JsonObject, path: string): JsonObject {
    let node = schema;
    let ref = own(node, '$ref');
    const first = ref;
    for (const seen = new Set<JsonValue>(); typeof ref === 'string'; ) {
      const target = seen.has(ref) ? undefined : resolveRef(this.root, ref);
      if (target === undefined || (!isPlainObject(target) && typeof target !== 'boolean')) {
        this.report(path, `opened: the reference ${JSON.stringify(first)} leads nowhere`);
        return without(node, '$ref');
      }
      seen.add(ref);
      if (ref === first) node = { ...node, $ref: relocateRef(this.root, ref) };
      ref = isPlainObject(target) ? own(target, '$ref') : undefined;
    }
    return node;
  }

  /** References lead into a union of this schema, which must then stay where it is. */
  private isAddressed(path: string): boolean {
    return this.targets.some((target) => unionKeys.some((key) => target.startsWith(step(path, key))));
  }

  private finish(schema: JsonObject, place: Place): JsonObject {
    let node = own(schema, 'type') === 'object' ? withProperties(schema) : schema;
    if (!place.composed) node = this.prune(node, place.path);
    if (own(node, 'type') === 'array' && !Object.hasOwn(node, 'items') && !Object.hasOwn(node, 'prefixItems'))
      node = { ...node, items: {} };
    if (hasWrongDefault(node)) {
      this.report(place.path, 'dropped a default that its own type refuses');
      node = without(node, 'default');
    }
    const title = own(node, 'title');
    const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    return typeof title === 'string' && place.key !== null && letters(title) === letters(place.key)
      ? without(node, 'title')
      : node;
  }

  /** Names of properties nobody describes, where nothing but `properties` could describe them. */
  private prune(node: JsonObject, path: string): JsonObject {
    const required = own(node, 'required');
    const elsewhere = [...unionKeys, '$ref', '$dynamicRef', 'patternProperties', 'if', 'dependentSchemas'];
    if (!Array.isArray(required) || own(node, 'type') !== 'object' || elsewhere.some((key) => Object.hasOwn(node, key)))
      return node;
    const properties = own(node, 'properties');
    const kept = required.filter(
      (name) => typeof name === 'string' && isPlainObject(properties) && Object.hasOwn(properties, name),
    );
    const gone = required.filter((name) => !kept.includes(name));
    if (gone.length > 0) this.report(path, `no longer required, for no property describes it: ${gone.join(', ')}`);
    return kept.length === 0 ? without(node, 'required') : { ...node, required: kept };
  }
}

/** What was opened below a negation or a choice of exactly one would refuse more than before: those go with it. */
function loosen(node: JsonObject, opened: ReadonlySet<string>): JsonObject {
  let loose = opened.has('not') ? without(node, 'not') : node;
  if (opened.has('if')) loose = without(loose, 'if', 'then', 'else');
  if (!opened.has('oneOf')) return loose;
  const { oneOf, ...rest } = loose;
  return Object.hasOwn(rest, 'anyOf') || oneOf === undefined
    ? objectOf(Object.entries(rest))
    : { ...rest, anyOf: oneOf };
}

function withProperties(schema: JsonObject): JsonObject {
  return Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'additionalProperties')
    ? schema
    : { ...schema, properties: {} };
}

/** Every local pointer used anywhere, without its `#`; strings in data count too, which only makes it careful. */
function referencesOf(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesOf);
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' && inner.startsWith('#/') ? [inner.slice(1)] : referencesOf(inner),
  );
}
