import type { JsonObject } from '../contract/json.ts';
import { normalizeSchema } from './normalize-schema.ts';

/** `reports` say in words what was changed beyond form; the original schema stays the truth for validation. */
export type SanitizedSchema = { schema: JsonObject; reports: readonly string[] };

/**
 * The schema a catalog shows: the same meaning in the dialect-free form every projection starts from. Whatever
 * was valid before stays valid; twice is once.
 */
export function sanitizeSchema(schema: JsonObject): SanitizedSchema {
  return normalizeSchema(schema);
}
