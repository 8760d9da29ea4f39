import type { Dialect } from '../contract/dialect.ts';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import { closeStrictly } from './close-strictly.ts';
import { dialectRules } from './dialects.ts';
import { flattenRoot } from './flatten-root.ts';
import { inlineRefs } from './inline-refs.ts';
import { projectNode } from './project-node.ts';
import { isPlainObject, objectOf, own, resolveRef, without } from './schema-keywords.ts';

/** `strict` says whether the tool may be sent so; `names` leads from a property's new name to its own. */
export type ProjectedSchema = { schema: JsonObject; strict: boolean; names: ReadonlyMap<string, string> };

const longestSchema = 90_000;

/**
 * A sanitized schema in a provider's language: what that cannot say becomes words in the description, never a
 * narrower rule. A tool that strict mode cannot express is sent without it.
 */
export function projectSchema(schema: JsonObject, dialect: Dialect): ProjectedSchema {
  const rules = dialectRules[dialect];
  const names = new Map<string, string>();
  const rooted = writeRoot(schema);
  let projected = rules.refs === 'inline' ? inlineRefs(rooted) : rooted;
  if (rules.plainRoot) projected = flattenRoot(projected);
  if (rules.strict) {
    const closed = closeStrictly(projectNode(projected, rules, names));
    return closed ? { schema: closed, strict: true, names } : { ...projectSchema(schema, 'openai'), strict: false };
  }
  projected = projectNode(projected, rules, names);
  if (JSON.stringify(projected).length <= longestSchema) return { schema: projected, strict: false, names };
  const bare = { type: 'object', properties: {}, description: 'The schema of this tool is too large to show.' };
  return { schema: bare, strict: false, names: new Map() };
}

/** Providers want to see an object at the root, so a root that only refers to its definition is written out. */
function writeRoot(schema: JsonObject): JsonObject {
  let rest = schema;
  for (let left = 10; left > 0; left -= 1) {
    const ref = own(rest, '$ref');
    const target = typeof ref === 'string' ? resolveRef(schema, ref) : undefined;
    if (!isPlainObject(target) || target === schema) return rest;
    rest = without(rest, '$ref');
    // What sanitizing added to a root that said nothing itself.
    if (Object.keys(objectAt(rest, 'properties')).length === 0) rest = without(rest, 'properties', 'type');
    const clash = Object.keys(rest).some((key) => !told.has(key) && Object.hasOwn(target, key));
    rest = clash ? { type: 'object', ...rest, allOf: [target, ...listAt(rest, 'allOf')] } : { ...target, ...rest };
  }
  return rest;
}

const told = new Set(['description', 'title', 'default']);
const objectAt = (schema: JsonObject, key: string): JsonObject => {
  const value = own(schema, key);
  return isPlainObject(value) ? value : {};
};
const listAt = (schema: JsonObject, key: string): readonly JsonValue[] => {
  const value = own(schema, key);
  return Array.isArray(value) ? value : [];
};

/** Arguments under the tool's own property names again. */
export function restoreNames(input: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  if (names.size === 0) return input;
  return objectOf(
    Object.entries(input).map(([key, value]) => {
      const restored = isPlainObject(value) ? restoreNames(value, names) : value;
      return [
        names.get(key) ?? key,
        Array.isArray(restored)
          ? restored.map((item) => (isPlainObject(item) ? restoreNames(item, names) : item))
          : restored,
      ];
    }),
  );
}
