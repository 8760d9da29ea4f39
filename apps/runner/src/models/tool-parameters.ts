import { type JsonObject, projectSchema, type ToolMetadata } from '@oneslot/core';

const projected = new WeakMap<ToolMetadata, JsonObject>();

/**
 * A tool's schema in the words that OpenAI's dialect takes; it renames no property, so calls need no way back.
 * Metadata is frozen within a session, so each schema is told once and its bytes never move.
 */
export function toolParameters(tool: ToolMetadata): JsonObject {
  const known = projected.get(tool);
  if (known) return known;
  const { schema } = projectSchema(tool.inputSchema, 'openai');
  projected.set(tool, schema);
  return schema;
}
