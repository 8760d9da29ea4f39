import type { JsonObject, JsonValue } from '../contract/json.ts';
import { annotationKeys, equalJson, isPlainObject, own, unionKeys, without } from './schema-keywords.ts';

/** Keywords that read one another: they may only be merged when one side has none of them. */
const groups = [
  ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
  ['type', 'nullable'],
];
/** They are addressed from elsewhere, so they stay where they are. */
const addressed = ['$id', '$anchor', '$dynamicAnchor', '$defs', 'definitions', '$schema'];
/** With one of these a member says something about null too. */
const speaksOfNull = ['const', '$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if'];

/** `anyOf|oneOf: [X, null]` and `type: [X, "null"]` as X that is nullable. */
export function foldNullable(schema: JsonObject): JsonObject {
  return foldTypeList(foldUnion(schema, 'anyOf') ?? foldUnion(schema, 'oneOf') ?? schema);
}

function foldTypeList(schema: JsonObject): JsonObject {
  const type = own(schema, 'type');
  if (!Array.isArray(type) || type.length !== 2 || !type.includes('null') || own(schema, 'nullable') === false)
    return schema;
  const [name] = type.filter((one) => one !== 'null');
  return name === undefined ? schema : { ...schema, type: name, nullable: true };
}

function foldUnion(schema: JsonObject, key: 'anyOf' | 'oneOf'): JsonObject | null {
  const members = own(schema, key);
  if (
    !Array.isArray(members) ||
    members.length !== 2 ||
    Object.hasOwn(schema, 'type') ||
    Object.hasOwn(schema, 'nullable')
  )
    return null;
  const other = members.find((member) => !isBareNull(member));
  if (!members.some(isBareNull) || !isPlainObject(other)) return null;
  const type = own(other, 'type');
  if (typeof type !== 'string' || type === 'null' || speaksOfNull.some((word) => Object.hasOwn(other, word)))
    return null;
  // oneOf refuses what two members accept.
  if (key === 'oneOf' && own(other, 'nullable') === true) return null;
  const values = own(other, 'enum');
  const withNull = Array.isArray(values) && !values.includes(null) ? { ...other, enum: [...values, null] } : other;
  return mergeInto(without(schema, key), { ...withNull, nullable: true });
}

function isBareNull(member: JsonValue): boolean {
  return isPlainObject(member) && own(member, 'type') === 'null' && Object.keys(member).length === 1;
}

/** A union of one is its member. */
export function mergeSingle(schema: JsonObject): JsonObject {
  for (const key of unionKeys) {
    const members = own(schema, key);
    const [member] = Array.isArray(members) && members.length === 1 ? members : [];
    if (member === true) return without(schema, key);
    if (!isPlainObject(member)) continue;
    const outer = without(schema, key);
    const refers =
      Object.hasOwn(member, '$ref') &&
      Object.keys(outer).some((own) => !annotationKeys.has(own) && !addressed.includes(own));
    const merged = refers ? null : mergeInto(outer, member);
    if (merged) return merged;
  }
  return schema;
}

/** The member's keywords beside the outer ones; null where they conflict or read one another. */
function mergeInto(outer: JsonObject, member: JsonObject): JsonObject | null {
  if (addressed.some((key) => Object.hasOwn(member, key))) return null;
  const has = (schema: JsonObject, keys: readonly string[]) => keys.some((key) => Object.hasOwn(schema, key));
  const shared = Object.keys(member).filter((key) => Object.hasOwn(outer, key) && !annotationKeys.has(key));
  if (shared.some((key) => !equalJson(outer[key] ?? null, member[key] ?? null))) return null;
  if (
    groups.some(
      (keys) =>
        has(outer, keys) &&
        has(member, keys) &&
        !keys.every((key) => !Object.hasOwn(outer, key) || shared.includes(key)),
    )
  )
    return null;
  return { ...member, ...outer };
}
