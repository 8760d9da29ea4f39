import type { JsonObject, JsonValue } from '../contract/json.ts';
import { isPlainObject, isSchema, objectOf, own, unionKeys, unique, without } from './schema-keywords.ts';

/** Told in words, with the place as a JSON pointer. */
export type Report = (path: string, words: string) => void;

const typeNames: Readonly<Record<string, string>> = {
  string: 'string',
  str: 'string',
  text: 'string',
  integer: 'integer',
  int: 'integer',
  long: 'integer',
  number: 'number',
  float: 'number',
  double: 'number',
  boolean: 'boolean',
  bool: 'boolean',
  object: 'object',
  dict: 'object',
  map: 'object',
  array: 'array',
  list: 'array',
  tuple: 'array',
  set: 'array',
  null: 'null',
  none: 'null',
  nil: 'null',
};
const counts = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
];
const bounds = ['minimum', 'maximum', 'multipleOf'];
const texts = ['title', 'description', 'format', '$comment', '$ref', '$schema', '$id'];
const lists = [...unionKeys, 'prefixItems'];
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u00ad]|\udb40[\udc00-\udc7f]/g;

/** Malformed keywords of one schema mended where the meaning is certain, else dropped: open, never narrower. */
export function repairKeywords(schema: JsonObject, path: string, report: Report): JsonObject {
  // Draft 4's name of a schema; newer validators refuse the word.
  let mended = dropMistyped(typeof own(schema, 'id') === 'string' ? without(schema, 'id') : schema, path, report);
  mended = repairType(mended, path, report);
  mended = repairTuple(mended);
  mended = repairBounds(mended, path, report);
  mended = repairEnum(mended, path, report);
  mended = repairRequired(mended);
  mended = repairPattern(mended, path, report);
  return cleanTexts(mended);
}

function dropMistyped(schema: JsonObject, path: string, report: Report): JsonObject {
  const fits = (key: string, value: JsonValue): boolean => {
    if (counts.includes(key)) return typeof value === 'number' && Number.isInteger(value) && value >= 0;
    if (bounds.includes(key)) return typeof value === 'number';
    if (texts.includes(key)) return typeof value === 'string';
    if (lists.includes(key)) return Array.isArray(value);
    if (key === 'uniqueItems' || key === 'nullable') return typeof value === 'boolean';
    if (key === 'patternProperties' || key === '$defs' || key === 'definitions') return isPlainObject(value);
    return key !== 'additionalProperties' || isSchema(value);
  };
  const kept = Object.entries(schema).filter(([key, value]) => {
    const keep = fits(key, value);
    if (!keep) report(path, `dropped ${key}, whose value has the wrong type`);
    return keep;
  });
  return objectOf(
    kept.map(([key, value]) => (key === 'properties' && !isPlainObject(value) ? [key, {}] : [key, value])),
  );
}

function repairType(schema: JsonObject, path: string, report: Report): JsonObject {
  const type = own(schema, 'type');
  if (type === undefined) return schema;
  const names = [type].flat().map((name) => (typeof name === 'string' ? typeOf(name) : undefined));
  const known = unique(names.filter((name) => name !== undefined));
  if (known.length === 0 || names.includes(undefined)) {
    // One type nobody knows opens the whole list: keeping the rest would refuse what was meant by it.
    report(path, `dropped the unknown type ${JSON.stringify(type)}`);
    return without(schema, 'type');
  }
  return { ...schema, type: known.length === 1 ? (known[0] ?? null) : known };
}

function typeOf(name: string): string | undefined {
  const plain = name.trim().toLowerCase();
  if (plain.endsWith('[]')) return 'array';
  return Object.hasOwn(typeNames, plain) ? typeNames[plain] : undefined;
}

/** The tuple of older drafts: a list under `items`. */
function repairTuple(schema: JsonObject): JsonObject {
  const items = own(schema, 'items');
  if (Array.isArray(items)) {
    const rest = own(schema, 'additionalItems');
    const tuple = {
      ...without(schema, 'items', 'additionalItems'),
      ...(items.length > 0 ? { prefixItems: items } : {}),
    };
    return isSchema(rest) ? { ...tuple, items: rest } : tuple;
  }
  return items === undefined || isSchema(items) ? schema : { ...schema, items: {} };
}

/** Draft 4 wrote `exclusiveMinimum: true` beside `minimum`. */
function repairBounds(schema: JsonObject, path: string, report: Report): JsonObject {
  let mended = schema;
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const flag = own(mended, exclusive);
    if (flag === undefined || typeof flag === 'number') continue;
    const bound = own(mended, inclusive);
    mended = without(mended, exclusive);
    if (flag === true && bound !== undefined) mended = { ...without(mended, inclusive), [exclusive]: bound };
    else if (flag !== false) report(path, `dropped ${exclusive}, which has no number`);
  }
  return mended;
}

function repairEnum(schema: JsonObject, path: string, report: Report): JsonObject {
  const values = own(schema, 'enum');
  if (values === undefined) return schema;
  if (!Array.isArray(values) || values.length === 0) {
    report(path, 'dropped an enum without values');
    return without(schema, 'enum');
  }
  return { ...schema, enum: unique(values) };
}

/** Names only and once each; a property's own `required: true` belongs to the object around it. */
function repairRequired(schema: JsonObject): JsonObject {
  const required = own(schema, 'required');
  const properties = own(schema, 'properties');
  const names = Array.isArray(required) ? required : typeof required === 'string' ? [required] : [];
  const lifted = isPlainObject(properties)
    ? Object.entries(properties).flatMap(([name, property]) =>
        isPlainObject(property) && own(property, 'required') === true ? [name] : [],
      )
    : [];
  const all = unique([...names.filter((name) => typeof name === 'string'), ...lifted]);
  const { required: _, ...rest } = schema;
  return all.length === 0
    ? required === undefined
      ? schema
      : objectOf(Object.entries(rest))
    : { ...schema, required: all };
}

function repairPattern(schema: JsonObject, path: string, report: Report): JsonObject {
  const pattern = own(schema, 'pattern');
  const patterns = own(schema, 'patternProperties');
  let mended = schema;
  if (pattern !== undefined && !isPattern(pattern)) {
    report(path, `dropped a pattern that is no ECMAScript expression: ${JSON.stringify(pattern)}`);
    mended = without(mended, 'pattern');
  }
  if (!isPlainObject(patterns) || Object.keys(patterns).every(isPattern)) return mended;
  report(path, 'dropped property patterns that are no ECMAScript expressions');
  const kept = objectOf(Object.entries(patterns).filter(([key]) => isPattern(key)));
  return { ...mended, patternProperties: kept, additionalProperties: true };
}

export function isPattern(pattern: JsonValue): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch (cause) {
    if (cause instanceof SyntaxError) return false;
    throw cause;
  }
}

function cleanTexts(schema: JsonObject): JsonObject {
  const clean = (key: string, value: JsonValue) =>
    (key === 'description' || key === 'title') && typeof value === 'string' ? value.replace(invisible, '') : value;
  return objectOf(Object.entries(schema).map(([key, value]) => [key, clean(key, value)]));
}

/** A default its own type refuses would only mislead. */
export function hasWrongDefault(schema: JsonObject): boolean {
  const value = own(schema, 'default');
  const type = own(schema, 'type');
  if (value === undefined || type === undefined || (value === null && own(schema, 'nullable') === true)) return false;
  return ![type].flat().some((name) => isOfType(value, name));
}

function isOfType(value: JsonValue, type: JsonValue): boolean {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isPlainObject(value);
  return type === 'null' ? value === null : typeof value === type;
}
