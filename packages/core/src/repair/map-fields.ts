import type { JsonObject } from '../contract/json.ts';

/** `from` is what came, `to` what the schema has; `renames` is what an alias brings along with the tool name. */
export type FieldMapping = { from: string; to: string };

/** Which unexpected fields of an input probably stand for which properties of the schema; for the error that teaches. */
export function mapFields(input: JsonObject, schema: JsonObject): FieldMapping[] {
  void input;
  void schema;
  return [];
}

/** Input of a peer's tool renamed to ours: `calledAs` is the alias, `tool` the registered name it resolved to. */
export function renameAliasFields(calledAs: string, tool: string, input: JsonObject, schema: JsonObject): JsonObject {
  void calledAs;
  void tool;
  void schema;
  return input;
}
