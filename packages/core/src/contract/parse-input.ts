import type { z } from 'zod';
import { ToolError } from '../errors.ts';
import type { JsonObject, JsonValue } from './json.ts';

const longestName = 256;

/** A tool's own schema: the zod type that validates and the JSON schema a model saw. */
export type InputSchema = { tool: string; type: z.ZodType; json: JsonObject };

/**
 * Schema to typed input, forgiving only where the meaning is certain: unknown fields are dropped, an empty
 * optional string counts as absent, a number past its bound is clamped; each is reported as a warning.
 * @throws ToolError invalid_input
 */
export function parseInput(schema: InputSchema, input: JsonObject): { input: JsonObject; warnings: string[] } {
  const warnings: string[] = [];
  const mended = mendObject(schema.json, input, '', warnings);
  const parsed = schema.type.safeParse(mended);
  if (parsed.success) return { input: parsed.data as JsonObject, warnings };
  throw new ToolError('invalid_input', `${schema.tool}: ${describeIssues(parsed.error, mended)}`, {
    next: `Call ${schema.tool} again with ${exampleOf(schema.json)}.`,
  });
}

function mendObject(schema: JsonObject, input: JsonObject, at: string, warnings: string[]): JsonObject {
  const known = asObject(schema.properties);
  if (!known) return input;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const mended: JsonObject = {};
  for (const [key, value] of Object.entries(input)) {
    const field = Object.hasOwn(known, key) ? asObject(known[key]) : undefined;
    const name = `${at}${key}`;
    if (!field && key.length > longestName) throw oversized(key);
    if (!field) warnings.push(`Unknown field "${name}" was ignored.`);
    else if (value === null && !required.includes(key)) continue;
    // Where '' has a meaning of its own (deleting text), the schema admits it.
    else if (value === '' && refusesEmpty(field) && !required.includes(key)) continue;
    else define(mended, key, mendValue(field, value, name, warnings));
  }
  return mended;
}

/** Nobody spells a field like that; repeated in a warning it would only cost. */
function oversized(key: string): ToolError {
  return new ToolError('invalid_input', `A field's name is ${key.length} characters long: ${key.slice(0, 40)}…`, {
    next: 'Name only fields of the schema.',
  });
}

function refusesEmpty(field: JsonObject): boolean {
  return field.type === 'string' && typeof field.minLength === 'number' && field.minLength > 0;
}

function mendValue(field: JsonObject, value: JsonValue, name: string, warnings: string[]): JsonValue {
  if (typeof value === 'number') return clamp(field, value, name, warnings);
  const items = asObject(field.items);
  if (Array.isArray(value) && items) {
    return value.map((item, index) => mendValue(items, item, `${name}[${index}]`, warnings));
  }
  const object = asObject(value);
  return object ? mendObject(field, object, `${name}.`, warnings) : value;
}

function clamp(field: JsonObject, value: number, name: string, warnings: string[]): number {
  const { minimum, maximum } = field;
  if (typeof maximum === 'number' && value > maximum && maximum < Number.MAX_SAFE_INTEGER) {
    warnings.push(`"${name}" was ${value}; ${maximum} is the most, so ${maximum} was used.`);
    return maximum;
  }
  // Zero and below for a 1-based value is a misunderstanding, not a large request: it stays an error.
  const oneBased = minimum === 1 && value <= 0;
  if (typeof minimum === 'number' && value < minimum && !oneBased && minimum > Number.MIN_SAFE_INTEGER) {
    warnings.push(`"${name}" was ${value}; ${minimum} is the least, so ${minimum} was used.`);
    return minimum;
  }
  return value;
}

function describeIssues(error: z.ZodError, input: JsonObject): string {
  const shown = error.issues.slice(0, 5).map((issue) => {
    const path = issue.path
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
      .join('')
      .slice(1);
    const name = path === '' ? 'the arguments' : path;
    const value = valueAt(input, issue.path);
    if (value === undefined && issue.code === 'invalid_type') return `${name} is missing; it is a ${issue.expected}`;
    const received = path === '' ? '' : ` (received ${preview(value)})`;
    return `${name}: ${wordsOf(issue)}${received}`;
  });
  return `${shown.join('; ')}.`;
}

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  return issue.code === 'invalid_union' ? 'fits none of the forms in the schema' : issue.message;
}

function valueAt(input: JsonValue | undefined, path: readonly PropertyKey[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    const object = asObject(value);
    return object && Object.hasOwn(object, String(key)) ? object[String(key)] : undefined;
  }, input);
}

function preview(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** A smallest valid example, made of the required fields of a schema. */
function exampleOf(schema: JsonObject): string {
  const properties = asObject(schema.properties) ?? {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = required.map((key) => `${JSON.stringify(key)}: ${exampleValue(asObject(properties[String(key)]))}`);
  return `arguments such as {${fields.join(', ')}}`;
}

function exampleValue(field: JsonObject | undefined): string {
  if (Array.isArray(field?.enum)) return JSON.stringify(field.enum[0]);
  if (field?.type === 'integer' || field?.type === 'number') return String(field.minimum ?? 1);
  if (field?.type === 'boolean') return 'true';
  if (field?.type === 'array') return `[${exampleValue(asObject(field.items))}]`;
  if (field?.type === 'object') return exampleOf(field).replace('arguments such as ', '');
  return '"…"';
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** Own property even for `__proto__`, which an assignment would swallow. */
function define(target: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
