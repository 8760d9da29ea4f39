import type { JsonObject, JsonValue } from '../contract/json.ts';
import { type DialectRules, foreignKeywords } from './dialects.ts';
import { isPlainObject, objectOf, own, schemaKeys, unionKeys, unique, without } from './schema-keywords.ts';

type Names = Map<string, string>;
const anyTypes: JsonValue[] = [
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'object', properties: {} },
  { type: 'array', items: { type: 'string' } },
];
/** Constraints worth their words where a dialect has no keyword for them. */
const worthWords =
  'const enum not if then else patternProperties additionalProperties propertyNames dependentRequired contains exclusiveMinimum exclusiveMaximum minimum maximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties uniqueItems pattern format'.split(
    ' ',
  );
const longestWords = 200;
const mostEnum = 500;

/** One schema and all below it in the dialect's language. */
export function projectNode(schema: JsonObject, rules: DialectRules, names: Names): JsonObject {
  let node = nameProperties(schema, rules, names);
  node = projectChildren(node, rules, names);
  node = projectTuple(node, rules);
  node = projectUnion(node, rules);
  node = projectEnum(node, rules);
  node = projectPattern(node, rules);
  node = projectKeywords(node, rules);
  node = projectTypes(node, rules);
  return shorten(node, rules);
}

function projectChildren(node: JsonObject, rules: DialectRules, names: Names): JsonObject {
  const inner = (value: JsonValue) => projectAny(value, rules, names);
  return objectOf(
    Object.entries(node).map(([key, value]): [string, JsonValue] => {
      if (key === 'additionalProperties' && typeof value === 'boolean') return [key, value];
      if (key === 'items' || schemaKeys.has(key)) return [key, inner(value)];
      const map = key === 'properties' || key === 'patternProperties' || key === '$defs' || key === 'definitions';
      if (map && isPlainObject(value))
        return [key, objectOf(Object.entries(value).map(([name, one]) => [name, inner(one)]))];
      const list = key === 'prefixItems' || unionKeys.some((one) => one === key);
      return [key, list && Array.isArray(value) ? value.map(inner) : value];
    }),
  );
}

function projectAny(value: JsonValue, rules: DialectRules, names: Names): JsonValue {
  if (isPlainObject(value)) return projectNode(value, rules, names);
  return rules.typed && value === true
    ? { anyOf: anyTypes, nullable: true }
    : rules.typed && value === false
      ? { type: 'null' }
      : value;
}

function nameProperties(node: JsonObject, rules: DialectRules, names: Names): JsonObject {
  const properties = own(node, 'properties');
  const { propertyNames } = rules;
  if (!propertyNames || !isPlainObject(properties) || Object.keys(properties).every((name) => propertyNames.test(name)))
    return node;
  const renamed = new Map(
    Object.keys(properties).map((name) => [name, propertyNames.test(name) ? name : newName(name, names)]),
  );
  const required = own(node, 'required');
  const node_: JsonObject = {
    ...node,
    properties: objectOf(Object.entries(properties).map(([name, value]) => [renamed.get(name) ?? name, value])),
  };
  return Array.isArray(required)
    ? { ...node_, required: required.map((name) => renamed.get(String(name)) ?? name) }
    : node_;
}

function newName(name: string, names: Names): string {
  const plain = name.replace(/[^a-zA-Z0-9_.-]/g, '_').slice(0, 56) || 'field';
  for (let count = 1; ; count += 1) {
    const candidate = `${plain}_r${count}`;
    if ((names.get(candidate) ?? name) !== name) continue;
    names.set(candidate, name);
    return candidate;
  }
}

function projectTuple(node: JsonObject, rules: DialectRules): JsonObject {
  const items = own(node, 'prefixItems');
  if (rules.tuples === 'keep' || !Array.isArray(items)) return node;
  const rest = own(node, 'items');
  const members = unique([...items, ...(isPlainObject(rest) ? [rest] : [])]);
  const told = tell(without(node, 'prefixItems', 'items'), [`items in this order: ${JSON.stringify(items)}`]);
  return { ...told, items: members.length === 1 ? (members[0] ?? {}) : { anyOf: members } };
}

function projectUnion(node: JsonObject, rules: DialectRules): JsonObject {
  const empty = unionKeys.filter((key) => [own(node, key)].flat().length === 0);
  // No dialect takes a choice of nothing.
  let flat = empty.length === 0 ? node : without(node, ...empty);
  if (rules.oneOf === 'keep') return flat;
  const all = own(flat, 'allOf');
  if (Array.isArray(all)) flat = mergeAll(without(flat, 'allOf'), all.filter(isPlainObject));
  const one = own(flat, 'oneOf');
  if (!Array.isArray(one)) return flat;
  const any = own(flat, 'anyOf');
  return Array.isArray(any)
    ? tell(without(flat, 'oneOf'), [`and one of ${JSON.stringify(one)}`])
    : { ...without(flat, 'oneOf'), anyOf: one };
}

/** Members side by side; where two speak of one keyword the first counts and the others are told in words. */
function mergeAll(outer: JsonObject, members: readonly JsonObject[]): JsonObject {
  let merged = outer;
  const rest: string[] = [];
  for (const member of members) {
    for (const [key, value] of Object.entries(member)) {
      const before = own(merged, key);
      if (before === undefined) merged = { ...merged, [key]: value };
      else if (key === 'properties' && isPlainObject(before) && isPlainObject(value))
        merged = { ...merged, properties: { ...value, ...before } };
      else if (key === 'required' && Array.isArray(before) && Array.isArray(value))
        merged = { ...merged, required: unique([...before, ...value]) };
      else if (key !== 'type' && key !== 'description' && key !== 'title') rest.push(`${key} ${JSON.stringify(value)}`);
    }
  }
  return tell(merged, rest);
}

function projectEnum(node: JsonObject, rules: DialectRules): JsonObject {
  let projected = node;
  if (rules.enums === 'strings' && Object.hasOwn(node, 'const'))
    projected = { ...without(node, 'const'), enum: [node.const ?? null] };
  const values = own(projected, 'enum');
  if (!Array.isArray(values)) return projected;
  if (values.length > mostEnum)
    return tell(typedLike(without(projected, 'enum'), values), [`one of ${JSON.stringify(values)}`]);
  if (rules.enums === 'any') return projected;
  const texts = values.filter((value) => value !== null);
  const nullable = texts.length < values.length ? { nullable: true } : {};
  if (texts.length > 0 && texts.every((value) => typeof value === 'string' && value !== ''))
    return { ...projected, type: 'string', enum: texts, ...nullable };
  return tell(typedLike(without(projected, 'enum'), values), [`one of ${JSON.stringify(values)}`]);
}

/** The types of the values, where the schema names none itself. */
function typedLike(node: JsonObject, values: readonly JsonValue[]): JsonObject {
  if (Object.hasOwn(node, 'type')) return node;
  const types = unique(
    values.map((value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)),
  );
  return { ...node, type: types.length === 1 ? (types[0] ?? null) : types };
}

/** Look-arounds are beyond the linear engines of providers. */
function projectPattern(node: JsonObject, rules: DialectRules): JsonObject {
  const pattern = own(node, 'pattern');
  const beyond = typeof pattern === 'string' && /\(\?[=!<]/.test(pattern) && rules.keywords !== null;
  return beyond ? tell(without(node, 'pattern'), [`pattern ${pattern}`]) : node;
}

function projectKeywords(node: JsonObject, rules: DialectRules): JsonObject {
  const format = own(node, 'format');
  const lost: string[] = [];
  const kept = Object.entries(node).filter(([key, value]) => {
    const allowed = rules.keywords
      ? rules.keywords.has(key) || key === 'nullable'
      : !foreignKeywords.has(key) && !key.startsWith('x-');
    const unknownFormat =
      key === 'format' && rules.formats !== null && typeof format === 'string' && !rules.formats.has(format);
    if (allowed && !unknownFormat) return true;
    const open_ = key === 'additionalProperties' && value === true;
    if (worthWords.includes(key) && !open_) lost.push(`${key} ${JSON.stringify(value)}`);
    return false;
  });
  return tell(objectOf(kept), lost);
}

function projectTypes(node: JsonObject, rules: DialectRules): JsonObject {
  let typed = rules.typed ? inferType(node) : node;
  if (own(typed, 'type') === 'object' && !Object.hasOwn(typed, 'properties') && (rules.keywords || rules.plainRoot))
    typed = { ...typed, properties: {} };
  if (
    [own(typed, 'type') ?? []].flat().includes('array') &&
    !Object.hasOwn(typed, 'items') &&
    !Object.hasOwn(typed, 'prefixItems')
  )
    typed = { ...typed, items: rules.typed ? { anyOf: anyTypes } : {} };
  return rules.nulls === 'list' ? nullsInList(typed) : nullsAside(typed);
}

/** A type where the keywords leave no doubt, else every type there is. */
function inferType(node: JsonObject): JsonObject {
  if (['type', 'anyOf', '$ref'].some((key) => Object.hasOwn(node, key))) return node;
  if (Object.hasOwn(node, 'properties')) return { ...node, type: 'object' };
  if (Object.hasOwn(node, 'items')) return { ...node, type: 'array' };
  const values = own(node, 'enum') ?? (Object.hasOwn(node, 'const') ? [node.const ?? null] : undefined);
  return Array.isArray(values) ? typedLike(node, values) : { ...node, anyOf: anyTypes, nullable: true };
}

function nullsInList(node: JsonObject): JsonObject {
  if (!Object.hasOwn(node, 'nullable')) return node;
  const rest = without(node, 'nullable');
  const type = own(rest, 'type');
  if (own(node, 'nullable') !== true) return rest;
  if (type !== undefined) return { ...rest, type: unique([type, 'null'].flat()) };
  const any = own(rest, 'anyOf');
  return Array.isArray(any) ? { ...rest, anyOf: unique([...any, { type: 'null' }]) } : rest;
}

/** One type each and null aside, as OpenAPI has it. */
function nullsAside(node: JsonObject): JsonObject {
  let aside = node;
  const any = own(aside, 'anyOf');
  if (Array.isArray(any) && any.some(isNullType)) {
    const members = any.filter((member) => !isNullType(member));
    aside = { ...aside, anyOf: members, nullable: true };
    const [only] = members;
    if (members.length === 1 && isPlainObject(only)) aside = { ...only, ...without(aside, 'anyOf') };
  }
  const type = own(aside, 'type');
  if (!Array.isArray(type))
    return type === 'null' ? { ...without(aside, 'type'), type: 'string', nullable: true } : aside;
  const types = type.filter((one) => one !== 'null');
  const nullable = types.length < type.length ? { nullable: true } : {};
  if (types.length === 1) return { ...aside, type: types[0] ?? 'string', ...nullable };
  const shared = without(aside, 'type', 'items', 'properties', 'anyOf');
  const members = types.map(
    (one): JsonValue => ({
      type: one,
      ...(one === 'array' ? { items: own(aside, 'items') ?? { anyOf: anyTypes } } : {}),
      ...(one === 'object' ? { properties: own(aside, 'properties') ?? {} } : {}),
    }),
  );
  return { ...shared, anyOf: members, ...nullable };
}

function isNullType(member: JsonValue): boolean {
  return (
    isPlainObject(member) &&
    (own(member, 'type') === 'null' ||
      (own(member, 'nullable') === true && Object.keys(member).length === 2 && own(member, 'type') === 'string'))
  );
}

/** Adds what a keyword said to the description. */
function tell(node: JsonObject, rules: readonly string[]): JsonObject {
  if (rules.length === 0) return node;
  const description = own(node, 'description');
  const told = rules
    .map((rule) => (rule.length > longestWords ? `${rule.slice(0, longestWords - 1)}…` : rule))
    .join('; ');
  return {
    ...node,
    description: `${typeof description === 'string' && description !== '' ? `${description} ` : ''}(${told})`,
  };
}

function shorten(node: JsonObject, rules: DialectRules): JsonObject {
  const description = own(node, 'description');
  if (typeof description !== 'string' || description.length <= rules.descriptionLimit) return node;
  const cut = description.slice(0, rules.descriptionLimit - 1);
  const atWord = cut.lastIndexOf(' ');
  return { ...node, description: `${atWord > rules.descriptionLimit / 2 ? cut.slice(0, atWord) : cut}…` };
}
