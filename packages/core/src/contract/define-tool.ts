import { z } from 'zod';
import type { Capability } from './capability.ts';
import type { JsonObject } from './json.ts';
import { parseInput } from './parse-input.ts';
import type { CapabilityPorts, Use, UsesPorts } from './ports.ts';
import type { ToolOutput } from './tool-call.ts';
import type { CommandJudge, InputVerdict, ToolContextBase, ToolLoad, ToolSpec } from './tool-spec.ts';

type Merge<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
/** A tool receives the ports its declaration unlocks and no more: what was not declared does not type-check. */
export type ToolContext<C extends Capability, U extends Use> = ToolContextBase &
  Merge<CapabilityPorts[Extract<C, keyof CapabilityPorts>]> &
  Merge<UsesPorts[U]>;

export type ToolDefinition<Input, C extends Capability, U extends Use> = {
  name: string;
  family: string;
  description: string;
  capabilities: readonly C[];
  uses?: readonly U[];
  /** May overlap its equals. Default false. */
  parallel?: boolean;
  /** Default deferred. */
  load?: ToolLoad;
  /** Milliseconds of `execute`; null waits for people. Default 30,000. */
  timeoutMs?: number | null;
  interactive?: boolean;
  pollable?: boolean;
  summarize?: boolean;
  tellsUnchanged?: boolean;
  /** The schema has an optional `input_ref` beside the optional field `into`, which `execute` finds filled in. */
  inputRef?: { into: string; limitBytes: number };
  input: z.ZodType<Input>;
  validate?(input: Input): void;
  approvalFor?(input: Input, judge: CommandJudge): InputVerdict;
  title?(input: Input): string;
  execute(input: Input, context: ToolContext<C, U>): Promise<ToolOutput>;
};

/** One object in, a governed spec out. Defaults are the safe ones: serial, deferred, 30 s. */
export function defineTool<Input extends object, const C extends Capability = never, const U extends Use = never>(
  definition: ToolDefinition<Input, C, U>,
): ToolSpec {
  const json = jsonSchemaOf(definition.input);
  const schema = { tool: definition.name, type: definition.input, json };
  return {
    name: definition.name,
    family: definition.family,
    description: definition.description,
    inputSchema: json,
    capabilities: new Set<Capability>(definition.capabilities),
    uses: new Set<Use>(definition.uses ?? []),
    parallel: definition.parallel ?? false,
    load: definition.load ?? 'deferred',
    timeoutMs: definition.timeoutMs === undefined ? 30_000 : definition.timeoutMs,
    interactive: definition.interactive ?? false,
    pollable: definition.pollable ?? false,
    ...(definition.summarize === undefined ? {} : { summarize: definition.summarize }),
    ...(definition.tellsUnchanged === undefined ? {} : { tellsUnchanged: definition.tellsUnchanged }),
    ...(definition.inputRef === undefined ? {} : { inputRef: definition.inputRef }),
    source: 'builtin',
    parseInput: (input) => parseInput(schema, input),
    validate: (input) => definition.validate?.(input as Input),
    approvalFor: (input, judge) => definition.approvalFor?.(input as Input, judge) ?? {},
    title: (input) => definition.title?.(input as Input) ?? definition.name,
    execute: (input, context) => definition.execute(input as Input, context as unknown as ToolContext<C, U>),
  };
}

function jsonSchemaOf(type: z.ZodType): JsonObject {
  const schema = z.toJSONSchema(type, {
    io: 'input',
    unrepresentable: 'any',
    // zod writes the bounds of a safe integer into every integer; they say nothing and cost tokens.
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  delete schema.$schema;
  // A plain copy: zod hangs its own non-enumerable members on the object.
  return { ...(JSON.parse(JSON.stringify(schema)) as JsonObject), additionalProperties: false };
}
