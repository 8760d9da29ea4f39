import type { JsonObject, JsonValue } from '../contract/json.ts';
import { aliases } from './aliases.ts';
import { suggestNames } from './suggest-names.ts';

/** `from` is the field that came, `to` the property of the schema it probably stands for. */
export type FieldMapping = { from: string; to: string };

/** Fields that mean the same among coding agents; the schema at hand decides which one counts. */
const synonyms: readonly (readonly string[])[] = [
  ['old_string', 'search', 'old_str', 'old_text', 'oldText', 'find', 'original'],
  ['new_string', 'replace', 'new_str', 'new_text', 'newText', 'replacement', 'updated'],
  ['path', 'file_path', 'filepath', 'filename', 'file', 'target_file', 'absolute_path', 'dir_path', 'directory'],
  ['content', 'contents', 'text', 'body', 'file_text', 'code_edit'],
  ['pattern', 'regex', 'regexp', 'query', 'search_term'],
  ['glob', 'include', 'file_pattern', 'include_pattern', 'globs'],
  ['command', 'cmd', 'script', 'command_line'],
  ['timeout_ms', 'timeout', 'timeout_seconds'],
  ['background', 'run_in_background', 'is_background'],
  ['start_line', 'offset', 'line_start', 'from_line', 'start'],
  ['max_lines', 'limit', 'head_limit', 'num_lines'],
  ['items', 'todos', 'plan', 'tasks'],
  ['process_id', 'bash_id', 'task_id', 'session_id', 'pid'],
  ['cwd', 'workdir', 'working_directory'],
];

/** Which unexpected fields of an input probably stand for which free properties of the schema, each used once. */
export function mapFields(input: JsonObject, schema: JsonObject): FieldMapping[] {
  const properties = propertiesOf(schema);
  const free = new Set(properties.filter((name) => !Object.hasOwn(input, name)));
  const mappings: FieldMapping[] = [];
  for (const from of Object.keys(input)) {
    if (properties.includes(from)) continue;
    const to = nearestProperty(from, [...free]);
    if (to === undefined) continue;
    free.delete(to);
    mappings.push({ from, to });
  }
  return mappings;
}

function nearestProperty(field: string, free: readonly string[]): string | undefined {
  const letters = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const same = free.filter((name) => letters(name) === letters(field));
  if (same.length === 1) return same[0];
  const group = synonyms.find((names) => names.includes(field));
  return free.find((name) => group?.includes(name)) ?? suggestNames(field, free)[0];
}

/**
 * Fields of peers renamed to ours, where the schema has ours and not theirs and ours is not set already.
 * `calledAs` is the name the model used; some of them imply a field.
 */
export function renameAliasFields(calledAs: string, tool: string, input: JsonObject, schema: JsonObject): JsonObject {
  const properties = propertiesOf(schema);
  const rows = aliases.filter((alias) => alias.tool === tool);
  const renamed: JsonObject = { ...input };
  for (const { fields, seconds, implies } of rows) {
    for (const [from, to] of Object.entries(fields ?? {})) {
      if (!Object.hasOwn(input, from) || properties.includes(from)) continue;
      if (!properties.includes(to) || Object.hasOwn(renamed, to)) continue;
      renamed[to] = inMilliseconds(input[from] ?? null, seconds?.includes(to) === true);
      delete renamed[from];
    }
    if (implies && Object.hasOwn(implies, calledAs)) {
      for (const [field, value] of Object.entries(implies[calledAs] ?? {})) renamed[field] ??= value;
    }
  }
  return renamed;
}

/** Peers count their timeouts in seconds or milliseconds under one name; nobody waits for less than a second. */
function inMilliseconds(value: JsonValue, maybeSeconds: boolean): JsonValue {
  return maybeSeconds && typeof value === 'number' && value < 1_000 ? value * 1_000 : value;
}

function propertiesOf(schema: JsonObject): string[] {
  const { properties } = schema;
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties)
    ? Object.keys(properties)
    : [];
}
