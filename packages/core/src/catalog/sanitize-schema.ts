import type { JsonObject } from '../contract/json.ts';

/** `reports` say in words what was changed beyond form; the original schema stays the truth for validation. */
export type SanitizedSchema = { schema: JsonObject; reports: string[] };

/** The same meaning in the dialect-free form every projection starts from. */
export function sanitizeSchema(schema: JsonObject): SanitizedSchema {
  return { schema, reports: [] };
}
