import { type Dialect, type JsonObject, projectSchema, type ToolMetadata } from '@oneslot/core';

/** `strict`: the provider may hold the model to the schema; where it cannot express it, the tool is sent without. */
export type ToolParameters = { schema: JsonObject; strict: boolean };

const projected = new WeakMap<ToolMetadata, Map<Dialect, ToolParameters>>();

/**
 * A tool's schema in the words of a dialect. Renamed properties find their way back where the call is planned.
 * Metadata is frozen within a session, so each schema is told once per dialect and its bytes never move.
 */
export function toolParameters(tool: ToolMetadata, dialect: Dialect): ToolParameters {
  const known = projected.get(tool) ?? new Map<Dialect, ToolParameters>();
  projected.set(tool, known);
  const { schema, strict } = known.get(dialect) ?? projectSchema(tool.inputSchema, dialect);
  const parameters = known.get(dialect) ?? { schema, strict };
  known.set(dialect, parameters);
  return parameters;
}
