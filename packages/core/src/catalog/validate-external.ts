import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import { ToolError } from '../errors.ts';
import { normalizeSchema } from './normalize-schema.ts';
import { boundedPattern } from './pattern-engine.ts';
import { isPlainObject, objectOf, own } from './schema-keywords.ts';

export type ExternalValidator = (input: JsonObject) => { input: JsonObject; warnings: string[] };

const engine = Object.assign((pattern: string, flags: string) => boundedPattern(pattern, flags), {
  code: 'boundedPattern',
});
const options = {
  strict: false,
  allErrors: true,
  verbose: true,
  ownProperties: true,
  validateSchema: false,
  logger: false,
  code: { regExp: engine },
} as const;

/**
 * Checks inputs against the original schema, compiled at the first call. Where only the sanitized one compiles
 * that is the truth; where neither does, the tool's own side has to check.
 */
export function validateExternal(tool: string, schema: JsonObject): ExternalValidator {
  let compiled: ValidateFunction | 'unchecked' | null = null;
  return (input) => {
    compiled ??= compile(schema) ?? compile(normalizeSchema(schema).schema) ?? 'unchecked';
    if (compiled === 'unchecked')
      return { input, warnings: ['The arguments could not be checked: the schema of this tool is broken.'] };
    return check({ tool, schema, validate: compiled }, input);
  };
}

function compile(schema: JsonObject): ValidateFunction | null {
  const draft = own(schema, '$schema');
  const old = (typeof draft === 'string' && /draft-0[4-7]/.test(draft)) || JSON.stringify(schema).includes('"items":[');
  try {
    const ajv = old ? new Ajv(options) : new Ajv2020(options);
    addFormats.default(ajv);
    return ajv.compile(schema);
  } catch (cause) {
    if (cause instanceof Error) return null;
    throw cause;
  }
}

type Checked = { tool: string; schema: JsonObject; validate: ValidateFunction };

function check(checked: Checked, input: JsonObject): { input: JsonObject; warnings: string[] } {
  const errors = errorsOf(checked.validate, input);
  if (errors.length === 0) return { input, warnings: [] };
  const present = withoutNulls(input, errors);
  const mended = mend(present, present === input ? errors : errorsOf(checked.validate, present));
  const left = errorsOf(checked.validate, mended.input);
  if (left.length === 0) return mended;
  const words = left.slice(0, 5).map((error) => `${fieldOf(error)}: ${error.message ?? error.keyword}`);
  throw new ToolError('invalid_input', `${checked.tool}: ${words.join('; ')}.`, {
    next: `Call ${checked.tool} again with arguments that fit: ${JSON.stringify(checked.schema).slice(0, 4_000)}`,
  });
}

function errorsOf(validate: ValidateFunction, input: JsonObject): ErrorObject[] {
  return validate(input) ? [] : (validate.errors ?? []).filter((error) => !isDangling(error));
}

/** Required by name and described nowhere: the model never saw that property, so it cannot be missing. */
function isDangling(error: ErrorObject): boolean {
  const parent: unknown = error.parentSchema;
  if (error.keyword !== 'required' || !isPlainObject(parent) || Object.hasOwn(parent, 'patternProperties'))
    return false;
  const properties = own(parent, 'properties');
  return (
    error.schemaPath === '#/required' &&
    isPlainObject(properties) &&
    !Object.hasOwn(properties, String(error.params.missingProperty))
  );
}

/** Strict dialects make the model send null for what it leaves out, at any depth; where null does not fit, it was left out. */
function withoutNulls(input: JsonObject, errors: readonly ErrorObject[]): JsonObject {
  const paths = errors.filter(({ data }) => data === null).map(({ instancePath }) => instancePath);
  if (paths.length === 0) return input;
  const refused = new Set(paths);
  const walk = (value: JsonValue, path: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item, index) => walk(item, `${path}/${index}`));
    if (!isPlainObject(value)) return value;
    const entries = Object.entries(value).flatMap(([key, item]): [string, JsonValue][] => {
      const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return refused.has(at) ? [] : [[key, walk(item, at)]];
    });
    return objectOf(entries);
  };
  const present = walk(input, '');
  return isPlainObject(present) ? present : input;
}

/** Slips whose meaning the schema settles: values written as text, and fields that a closed object does not have. */
function mend(input: JsonObject, errors: readonly ErrorObject[]): { input: JsonObject; warnings: string[] } {
  const warnings: string[] = [];
  const wrong = new Map(
    errors.filter(({ keyword }) => keyword === 'type').map((error) => [error.instancePath.slice(1), error]),
  );
  const unknown = new Set(
    errors
      .filter(({ keyword, instancePath }) => keyword === 'additionalProperties' && instancePath === '')
      .map(({ params }) => String(params.additionalProperty)),
  );
  const entries = Object.entries(input).flatMap(([key, value]): [string, JsonValue][] => {
    if (unknown.has(key)) {
      warnings.push(`Unknown field "${key}" was ignored.`);
      return [];
    }
    const error = wrong.get(key.replaceAll('~', '~0').replaceAll('/', '~1'));
    if (!error) return [[key, value]];
    const read = typeof value === 'string' ? readAs(value, [error.params.type].flat()) : undefined;
    if (read === undefined) return [[key, value]];
    warnings.push(`"${key}" came as text and was read as ${String([error.params.type].flat().join(' or '))}.`);
    return [[key, read]];
  });
  return { input: objectOf(entries), warnings };
}

function readAs(text: string, types: readonly unknown[]): JsonValue | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
  // Digits that a number would round stay text, and so an error.
  if (typeof value === 'number')
    return (types.includes('number') || types.includes('integer')) && String(value) === text.trim() ? value : undefined;
  if (typeof value === 'boolean') return types.includes('boolean') ? value : undefined;
  if (Array.isArray(value)) return types.includes('array') ? value : undefined;
  return isPlainObject(value) && types.includes('object') ? value : undefined;
}

function fieldOf(error: ErrorObject): string {
  return error.instancePath === '' ? 'arguments' : error.instancePath.slice(1).replaceAll('/', '.');
}
