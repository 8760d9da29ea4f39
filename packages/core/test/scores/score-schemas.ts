import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { adoptExternal, externalToolName } from '../../src/catalog/adopt-external.ts';
import { type ProjectedSchema, projectSchema, restoreNames } from '../../src/catalog/project-schema.ts';
import { registerTools } from '../../src/catalog/register-tools.ts';
import { sanitizeSchema } from '../../src/catalog/sanitize-schema.ts';
import { isPlainObject, resolveRef } from '../../src/catalog/schema-keywords.ts';
import type { Dialect } from '../../src/contract/dialect.ts';
import type { JsonObject, JsonValue } from '../../src/contract/json.ts';
import type { ToolSpec } from '../../src/contract/tool-spec.ts';
import { sampleInstances } from './sample-instances.ts';
import { dialects, lintSchema } from './schema-linter.ts';
import {
  brief,
  quickest,
  type RowScore,
  type SetScore,
  sameJson,
  score,
  scoreEach,
  unless,
  wholeSet,
} from './score.ts';

export type CoreSchema = { id: string; schema: JsonObject; expect: JsonObject };
export type DirtySchema = {
  id: string;
  tool: string;
  schema: JsonObject;
  accepts: JsonObject[];
  rejects: JsonValue[];
  failClosed?: boolean;
};
export type SuiteSchema = { id: string; schema: JsonValue; tests: { data: JsonValue; valid: boolean }[] };
export type ToolDump = { package?: string; tools: { name: string; description?: string; inputSchema: JsonObject }[] };

const ajvOptions = {
  strict: false,
  validateFormats: false,
  ownProperties: true,
  logger: false,
  validateSchema: false,
  // Without its meta schemas an instance is cheap, and what it compiled leaves no trace in the next one.
  meta: false,
  addUsedSchema: false,
} as const;
const modern = new Ajv2020(ajvOptions);
const draft7 = new Ajv(ajvOptions);

export function scoreCoreSchema(row: CoreSchema): RowScore {
  const { schema } = sanitizeSchema(row.schema);
  return score(row.id, [
    ...unless(sameJson(schema, row.expect), brief(schema, 300)),
    ...unless(sameJson(sanitizeSchema(schema).schema, schema), 'twice is not once'),
  ]);
}

/** A schema registered and told to every dialect. */
const limitMs = 100;

/** A declared tool as the catalog holds it, beside a sound neighbour that must not suffer. */
function register(name: string, schema: JsonObject): { spec: ToolSpec | undefined; harmed: boolean } {
  const adopt = (tool: string, inputSchema: JsonObject) =>
    adoptExternal({
      name: tool,
      description: 'A tool of the vectors.',
      inputSchema,
      source: 'mcp:vectors',
      family: 'vectors',
      execute: async () => '',
    });
  const { specs } = registerTools([adopt(name, schema), adopt('neighbour', { type: 'object', properties: {} })]);
  return { spec: specs.get(name), harmed: specs.get('neighbour')?.failClosed !== undefined };
}

/** `lost` are instances that were valid and are refused now: the one harm of this act. */
type Judged = { failures: string[]; lost: string[] };

export async function scoreDirtySchema(row: DirtySchema): Promise<RowScore> {
  const schema = String(row.schema) === '__CIRCULAR__' ? circular() : row.schema;
  const { spec, harmed } = register(row.tool, schema);
  if (!spec) return score(row.id, ['the tool is gone']);
  const failures = unless(!harmed, 'another tool suffers');
  if (row.failClosed || spec.failClosed !== undefined) {
    failures.push(...unless(row.failClosed === true, `fails closed: ${spec.failClosed}`));
    failures.push(...unless(spec.failClosed !== undefined, 'does not fail closed'));
    return score(row.id, failures, { wrong: row.failClosed !== true });
  }
  const judged = judgeSpec(spec, row.accepts);
  failures.push(...judged.failures, ...judged.lost);
  const ms = await quickest(limitMs, () => {
    const again = register(row.tool, schema).spec;
    for (const dialect of dialects) projectSchema(again?.inputSchema ?? {}, dialect);
  });
  failures.push(...unless(ms <= limitMs, `took ${ms.toFixed(0)} ms`));
  return score(row.id, failures, { wrong: judged.lost.length > 0 });
}

function circular(): JsonObject {
  const schema: JsonObject = { type: 'object', properties: {} };
  schema.properties = { self: schema };
  return schema;
}

function judgeSpec(spec: ToolSpec, accepts: readonly JsonObject[]): Judged {
  const judged: Judged = { failures: [], lost: [] };
  const compile = compileOnce();
  const again = sanitizeSchema(spec.inputSchema);
  judged.failures.push(
    ...unless(sameJson(again.schema, spec.inputSchema) && again.reports.length === 0, 'twice is not once'),
  );
  judged.lost.push(...refusedBy(compile(spec.inputSchema), accepts).map((one) => `sanitised refuses ${brief(one)}`));
  for (const dialect of dialects) {
    const projected = projectSchema(spec.inputSchema, dialect);
    judged.failures.push(...lintSchema(projected, dialect).map((words) => `${dialect}: ${words}`));
    judged.lost.push(...lostIn(dialect, { projected, accepts, compile }));
  }
  return judged;
}

type Sending = { projected: ProjectedSchema; accepts: readonly JsonObject[]; compile: Compile };

function lostIn(dialect: Dialect, { projected, accepts, compile }: Sending): string[] {
  if (accepts.length === 0) return [];
  const validate = compile(withNullMembers(projected.schema));
  return accepts.flatMap((instance) => {
    const sent = asSent(instance, projected.schema, projected);
    if (!isPlainObject(sent) || !validate(sent)) return [`${dialect} refuses ${brief(sent)}`];
    const back = projected.strict || sameJson(restoreNames(sent, projected.names), instance);
    return unless(back, `${dialect} does not map ${brief(sent)} back`);
  });
}

type Compile = (schema: JsonObject) => (instance: JsonValue) => boolean;

/** Several dialects often say the same, and compiling is what takes the time. */
function compileOnce(): Compile {
  const known = new Map<string, (instance: JsonValue) => boolean>();
  return (schema) => {
    const text = JSON.stringify(schema);
    const made = known.get(text) ?? validatorOf(schema);
    known.set(text, made);
    return made;
  };
}

function validatorOf(schema: JsonObject): (instance: JsonValue) => boolean {
  // Only an instance that keeps what it compiles finds the root again.
  const toRoot = JSON.stringify(schema).includes('"$ref":"#"');
  const validate = (toRoot ? new Ajv2020({ ...ajvOptions, addUsedSchema: true }) : modern).compile(schema);
  return (instance) => validate(instance) === true;
}

function refusedBy(validate: (instance: JsonValue) => boolean, instances: readonly JsonValue[]): JsonValue[] {
  return instances.filter((instance) => !validate(instance));
}

/** In strict mode what is left out is null; renamed properties come under their new names. */
function asSent(instance: JsonValue, place: JsonValue | undefined, projected: ProjectedSchema): JsonValue {
  const schema =
    isPlainObject(place) && typeof place.$ref === 'string' ? (resolveRef(projected.schema, place.$ref) ?? {}) : place;
  if (Array.isArray(instance))
    return instance.map((one) => asSent(one, isPlainObject(schema) ? schema.items : undefined, projected));
  if (!isPlainObject(instance) || !isPlainObject(schema)) return instance;
  if (Array.isArray(schema.anyOf) && schema.properties === undefined)
    return asSent(
      instance,
      schema.anyOf.find((member) => suits(member, instance)),
      projected,
    );
  if (!isPlainObject(schema.properties)) return instance;
  const { properties } = schema;
  const names = new Map([...projected.names].map(([to, from]) => [from, to]));
  const entries = Object.entries(instance).map(([key, value]): [string, JsonValue] => {
    const name = names.get(key) ?? key;
    return [name, asSent(value, Object.hasOwn(properties, name) ? properties[name] : undefined, projected)];
  });
  const nulls = projected.strict ? Object.keys(properties).map((name): [string, JsonValue] => [name, null]) : [];
  return Object.fromEntries([...nulls, ...entries]);
}

/** Whether a member of a union speaks of such an object: it knows the keys, and its constants fit. */
function suits(member: JsonValue, instance: JsonObject): boolean {
  const properties = isPlainObject(member) && isPlainObject(member.properties) ? member.properties : null;
  return Object.entries(instance).every(([key, value]) => {
    const property = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!isPlainObject(property)) return property !== undefined;
    return property.const === undefined || sameJson(property.const, value);
  });
}

/** OpenAPI's `nullable` beside a union, in the words of JSON Schema that the validator knows. */
function withNullMembers(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    // Beside a type null is one of the values, whether the list holds it or not.
    if (isPlainObject(value) && value.nullable === true && Array.isArray(value.enum))
      return { ...value, enum: [...new Set([...value.enum, null])] };
    if (!isPlainObject(value) || value.nullable !== true || value.type !== undefined || !Array.isArray(value.anyOf))
      return value;
    const { nullable: _nullable, anyOf, ...rest } = value;
    return { ...rest, anyOf: [...anyOf, { type: 'null' }] };
  });
}

export async function scoreDirtySchemas(dirty: readonly DirtySchema[]): Promise<SetScore> {
  const rows = await scoreEach(dirty, scoreDirtySchema);
  let [kept, rejects] = [0, 0];
  for (const row of dirty) {
    if (row.failClosed || !row.rejects?.length) continue;
    const { spec } = register(row.tool, row.schema);
    rejects += row.rejects.length;
    kept += refusedBy(compiled(modern, spec?.inputSchema ?? {}) ?? (() => true), row.rejects).length;
  }
  return wholeSet(rows, [`rejects kept: ${kept} of ${rejects}`]);
}

type Draft = 'draft7' | '2020-12';

/** The schema as one property of an object, so that it may have any root. */
export async function scoreSuiteSchemas(suite: readonly SuiteSchema[], draft: Draft): Promise<SetScore> {
  let [invalid, stillInvalid] = [0, 0];
  const rows = await scoreEach(suite, (row) => {
    const wrapped: JsonObject = { type: 'object', properties: { x: moved(row.schema) } };
    const { schema } = sanitizeSchema(wrapped);
    const before = compiled(draft === 'draft7' ? draft7 : modern, wrapped);
    const after = validatorOf(schema);
    const instances = before ? row.tests.map(({ data }) => ({ x: data })) : [];
    const valid = instances.filter((instance) => before?.(instance));
    const lost = refusedBy(after, valid).map((instance) => `refuses ${brief(instance)}`);
    const others = instances.filter((instance) => !valid.includes(instance));
    invalid += others.length;
    stillInvalid += refusedBy(after, others).length;
    const again = unless(sameJson(sanitizeSchema(schema).schema, schema), 'twice is not once');
    return score(row.id, [...again, ...lost], { wrong: lost.length > 0 });
  });
  return wholeSet(rows, [`invalid instances that stay invalid: ${stillInvalid} of ${invalid}`]);
}

/** Null for the few the validator itself refuses. */
function compiled(ajv: Ajv | Ajv2020, schema: JsonObject): ((instance: JsonValue) => boolean) | null {
  try {
    const validate = ajv.compile(schema);
    return (instance) => validate(instance) === true;
  } catch (cause) {
    if (cause instanceof Error) return null;
    throw cause;
  }
}

/** References of the suite start at its root, which now is one property. */
function moved(schema: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `#/properties/x${value.slice(1)}` : value,
  );
}

/** Every tool of a real server: in the catalog under its own name, fit for every dialect, instances kept. */
export async function scoreToolDump(dump: ToolDump, server: string): Promise<SetScore> {
  const names = dump.tools.map((tool) => externalToolName(server, tool.name));
  const { specs } = registerTools(
    dump.tools.map((tool, index) =>
      adoptExternal({
        name: names[index] ?? '',
        description: tool.description ?? '',
        inputSchema: tool.inputSchema,
        source: `mcp:${server}`,
        family: server,
        execute: async () => '',
      }),
    ),
  );
  let instances = 0;
  const tools = dump.tools.map((tool, index) => ({ id: `${server} ${tool.name}`, tool, name: names[index] ?? '' }));
  const rows = await scoreEach(tools, ({ id, tool, name }) => {
    const spec = specs.get(name);
    if (!spec) return score(id, ['the tool is gone']);
    if (spec.failClosed !== undefined) return score(id, [`fails closed: ${spec.failClosed}`]);
    const valid = compiled(modern, tool.inputSchema);
    const samples = sampleInstances(tool.inputSchema).filter((instance) => valid?.(instance));
    instances += samples.length;
    const { failures, lost } = judgeSpec(spec, samples);
    return score(id, [...failures, ...lost], { wrong: lost.length > 0 });
  });
  return wholeSet(rows, [`${server}: ${rows.length} tools, ${instances} instances tried`]);
}
