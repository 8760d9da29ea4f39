import type { JsonObject, JsonValue } from '../contract/json.ts';
import { equalJson, isPlainObject, objectOf, own, unionKeys, unique, without } from './schema-keywords.ts';

/** A root of plain properties: every property of every branch is offered, the rule between them kept as text. */
export function flattenRoot(schema: JsonObject): JsonObject {
  let flat = schema;
  const rules: string[] = [];
  for (const key of unionKeys) {
    const members = own(flat, key);
    if (!Array.isArray(members)) continue;
    const branches = members.filter(isPlainObject);
    flat = mergeBranches(without(flat, key), branches, key === 'allOf');
    if (key !== 'allOf') rules.push(describeBranches(key, branches));
  }
  for (const key of ['if', 'not', 'dependentRequired', 'dependentSchemas', 'propertyNames']) {
    const rule = own(flat, key);
    if (rule === undefined) continue;
    const parts = key === 'if' ? ['if', 'then', 'else'] : [key];
    rules.push(
      parts
        .flatMap((part) => (own(flat, part) === undefined ? [] : [`${part} ${JSON.stringify(own(flat, part))}`]))
        .join(' '),
    );
    flat = without(flat, ...parts);
  }
  if (rules.length === 0) return flat;
  const description = own(flat, 'description');
  const text = [typeof description === 'string' ? description : '', ...rules].filter((one) => one !== '').join(' ');
  return { ...flat, description: text };
}

function mergeBranches(outer: JsonObject, branches: readonly JsonObject[], all: boolean): JsonObject {
  const properties = new Map<string, JsonValue>();
  for (const source of [outer, ...branches]) {
    const own_ = own(source, 'properties');
    for (const [name, property] of Object.entries(isPlainObject(own_) ? own_ : {})) {
      const before = properties.get(name);
      const same = before === undefined || equalJson(before, property);
      properties.set(name, same ? property : eitherOf(before, property));
    }
  }
  const names = branches.map((branch) => namesOf(branch));
  const shared = all ? names.flat() : (names[0] ?? []).filter((name) => names.every((list) => list.includes(name)));
  const required = unique([...namesOf(outer), ...shared]);
  const closed =
    own(outer, 'additionalProperties') === false && branches.some((branch) => Object.hasOwn(branch, 'properties'));
  const merged: JsonObject = {
    ...(closed ? without(outer, 'additionalProperties') : outer),
    properties: objectOf(properties),
  };
  return required.length > 0 ? { ...merged, required } : without(merged, 'required');
}

function eitherOf(before: JsonValue, property: JsonValue): JsonValue {
  const [a, b] = [constantsOf(before), constantsOf(property)];
  return a && b ? { enum: unique([...a, ...b]) } : { anyOf: [before, property] };
}

function constantsOf(schema: JsonValue): JsonValue[] | null {
  if (!isPlainObject(schema)) return null;
  const values = own(schema, 'enum');
  if (Array.isArray(values)) return values;
  return Object.hasOwn(schema, 'const') ? [schema.const ?? null] : null;
}

function namesOf(schema: JsonObject): string[] {
  const required = own(schema, 'required');
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function describeBranches(key: 'anyOf' | 'oneOf', branches: readonly JsonObject[]): string {
  const sets = branches.map((branch) => `(${namesOf(branch).join(', ') || 'none'})`);
  return `${key === 'oneOf' ? 'Exactly one' : 'At least one'} of these sets of fields is required: ${sets.join(' or ')}.`;
}
