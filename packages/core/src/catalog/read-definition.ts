import { type Capability, capabilities } from '../contract/capability.ts';
import type { JsonObject, JsonValue } from '../contract/json.ts';
import type { Use } from '../contract/ports.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';

/** Source: OpenAI and Anthropic tool names. */
const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;
/** Of the schema, and of the description: more would crowd out every other tool. */
const limitBytes = 64 * 1024;
const functions = ['parseInput', 'validate', 'approvalFor', 'title', 'execute'] as const;

export type Definition = { kind: 'sound'; spec: ToolSpec } | { kind: 'broken'; name: string; reason: string };

/**
 * Reads every field of a spec once, so that a getter that throws or changes its mind does so here and never
 * mid-turn, and checks what would bring a whole request down at a provider.
 */
export function readDefinition(spec: ToolSpec): Definition {
  let name = '';
  try {
    name = String(spec.name);
    return { kind: 'sound', spec: sample(spec, name) };
  } catch (cause) {
    return { kind: 'broken', name, reason: cause instanceof Error ? cause.message : String(cause) };
  }
}

class BrokenDefinition extends Error {}

function sample(spec: ToolSpec, name: string): ToolSpec {
  if (!namePattern.test(name)) {
    throw new BrokenDefinition(
      `its name ${JSON.stringify(name.slice(0, 80))} is not 1 to 64 letters, digits, "_" or "-"`,
    );
  }
  for (const member of functions) {
    if (typeof spec[member] !== 'function') throw new BrokenDefinition(`it has no function ${member}`);
  }
  const declared = new Set<Capability>(spec.capabilities);
  checkCapabilities(declared);
  return {
    name,
    family: String(spec.family),
    description: readDescription(spec.description),
    inputSchema: readSchema(spec.inputSchema),
    capabilities: declared,
    uses: new Set<Use>(spec.uses),
    parallel: spec.parallel === true,
    load: spec.load === 'resident' ? 'resident' : 'deferred',
    timeoutMs: spec.timeoutMs,
    interactive: spec.interactive === true,
    pollable: spec.pollable === true,
    source: spec.source,
    ...(spec.failClosed === undefined ? {} : { failClosed: spec.failClosed }),
    ...outputTraits(spec),
    parseInput: spec.parseInput.bind(spec),
    validate: spec.validate.bind(spec),
    approvalFor: spec.approvalFor.bind(spec),
    title: spec.title.bind(spec),
    execute: spec.execute.bind(spec),
  };
}

/** How outputs of the tool are treated, and whether it takes one in place of text. */
function outputTraits({ summarize, tellsUnchanged, inputRef }: ToolSpec) {
  return {
    ...(typeof summarize === 'boolean' ? { summarize } : {}),
    ...(typeof tellsUnchanged === 'boolean' ? { tellsUnchanged } : {}),
    ...(inputRef ? { inputRef: { into: String(inputRef.into), limitBytes: Number(inputRef.limitBytes) } } : {}),
  };
}

function checkCapabilities(declared: ReadonlySet<Capability>): void {
  const effects = capabilities.filter(
    (one) => declared.has(one) && (one === 'writes_files' || one === 'executes_code' || one === 'external_effect'),
  );
  if (declared.has('read_only') && effects.length > 0) {
    throw new BrokenDefinition(`it contradicts itself: read_only together with ${effects.join(', ')}`);
  }
}

function readDescription(description: unknown): string {
  if (typeof description !== 'string') throw new BrokenDefinition('its description is no text');
  if (new TextEncoder().encode(description).length > limitBytes)
    throw new BrokenDefinition('its description is larger than 64 KiB');
  return description;
}

/** A plain copy, so that later changes to the foreign object reach nobody. */
function readSchema(schema: unknown): JsonObject {
  const text = serialize(schema);
  if (new TextEncoder().encode(text).length > limitBytes)
    throw new BrokenDefinition('its schema is larger than 64 KiB');
  const copy: JsonValue = JSON.parse(text);
  if (!isObjectSchema(copy, copy, 0)) throw new BrokenDefinition('the root of its schema is no object schema');
  return copy as JsonObject;
}

function serialize(schema: unknown): string {
  try {
    return JSON.stringify(schema) ?? 'null';
  } catch (cause) {
    throw new BrokenDefinition('its schema is circular or cannot be written as JSON', { cause });
  }
}

/** An object schema by its own words or by all members of its union; `{}` counts, it takes any arguments. */
function isObjectSchema(schema: JsonValue | undefined, root: JsonValue, depth: number): boolean {
  if (!isPlainObject(schema) || depth > 8) return false;
  const { type } = schema;
  const types = [type ?? []].flat().map((one) => String(one).toLowerCase());
  if (types.length > 0) return types.some((one) => one === 'object' || one === 'dict');
  if (type === null || isPlainObject(schema.properties) || Array.isArray(schema.properties)) return type !== null;
  const members = [schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []].flat();
  if (members.length > 0) return members.every((member) => isObjectSchema(member, root, depth + 1));
  if (typeof schema.$ref === 'string') return isObjectSchema(resolveLocal(schema.$ref, root), root, depth + 1);
  return ['items', 'prefixItems', 'enum', 'const', 'not', 'pattern', 'format'].every(
    (key) => !Object.hasOwn(schema, key),
  );
}

function resolveLocal(ref: string, root: JsonValue): JsonValue | undefined {
  if (!ref.startsWith('#/')) return undefined;
  const path = ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return path.reduce<JsonValue | undefined>(
    (at, key) => (isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    root,
  );
}

function isPlainObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
