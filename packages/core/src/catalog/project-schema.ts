import type { Dialect } from '../contract/dialect.ts';
import type { JsonObject } from '../contract/json.ts';
import { closeStrictly } from './close-strictly.ts';
import { dialectRules } from './dialects.ts';
import { flattenRoot } from './flatten-root.ts';
import { inlineRefs } from './inline-refs.ts';
import { projectNode } from './project-node.ts';
import { isPlainObject, objectOf } from './schema-keywords.ts';

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
  let projected = rules.refs === 'inline' ? inlineRefs(schema) : schema;
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
