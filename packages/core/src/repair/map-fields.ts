import type { JsonObject, JsonValue } from '../contract/json.ts';
import { type Alias, aliases } from './aliases.ts';
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
  let renamed = input;
  for (const alias of aliases.filter((one) => one.tool === tool)) {
    renamed = renameFields(alias, renamed, schema);
    const implied = alias.implies && Object.hasOwn(alias.implies, calledAs) ? alias.implies[calledAs] : undefined;
    renamed = { ...implied, ...renamed };
  }
  return renamed;
}

function renameFields(alias: Alias, input: JsonObject, schema: JsonObject): JsonObject {
  const properties = propertiesOf(schema);
  const target = (field: string) => {
    const to = alias.fields && Object.hasOwn(alias.fields, field) ? alias.fields[field] : undefined;
    const free =
      to !== undefined && !properties.includes(field) && properties.includes(to) && !Object.hasOwn(input, to);
    return free ? to : field;
  };
  const taken = new Set<string>();
  const entries = Object.entries(input).map(([field, value]): [string, JsonValue] => {
    const to = taken.has(target(field)) ? field : target(field);
    taken.add(to);
    const inMs = to === field ? value : inMilliseconds(value, alias.seconds?.includes(to) === true);
    return [to, renameItems(alias, inMs, propertyOf(schema, to))];
  });
  // Own properties even for `__proto__`.
  return Object.fromEntries(entries);
}

/** Lists of peers hold their own fields: a plan's `step` is an item's `content`. */
function renameItems(alias: Alias, value: JsonValue, property: JsonObject): JsonValue {
  const { items } = property;
  if (!Array.isArray(value) || !isObject(items)) return value;
  return value.map((item) => (isObject(item) ? renameFields(alias, item, items) : item));
}

/** Peers count their timeouts in seconds or milliseconds under one name; nobody waits for less than a second. */
function inMilliseconds(value: JsonValue, maybeSeconds: boolean): JsonValue {
  return maybeSeconds && typeof value === 'number' && value < 1_000 ? value * 1_000 : value;
}

function propertiesOf(schema: JsonObject): string[] {
  return isObject(schema.properties) ? Object.keys(schema.properties) : [];
}

function propertyOf(schema: JsonObject, name: string): JsonObject {
  const { properties } = schema;
  const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(property) ? property : {};
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
