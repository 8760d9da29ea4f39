import type { JsonObject } from '../contract/json.ts';
import type { ToolCall } from '../contract/tool-call.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';
import { ToolError } from '../errors.ts';
import { mapFields } from '../repair/map-fields.ts';
import type { RepairedArguments } from '../repair/repair-arguments.ts';
import type { NameRepair } from '../repair/repair-tool-name.ts';
import { didYouMean } from '../repair/suggest-names.ts';

const longestShown = 2_000;

/** Why a call was not run, in words that let the model make the next one right. */

export function unknownTool(call: ToolCall, name: NameRepair): ToolError {
  const hint = name.kind === 'suggested' ? `${didYouMean(name.names)} ` : '';
  return new ToolError('not_available', `No tool is named ${JSON.stringify(call.name.slice(0, 80))}.`, {
    next: `${hint}tool_search finds tools by what they do.`,
  });
}

export function cutOffCall(call: ToolCall): ToolError {
  return new ToolError(
    'truncated_turn',
    `The answer was cut off inside the arguments of ${call.name}, so nothing was run.`,
    {
      next: 'Resend the call, smaller: split long content over several calls.',
    },
  );
}

export function cutOffEffect(spec: ToolSpec): ToolError {
  return new ToolError(
    'truncated_turn',
    `The answer was cut off after this ${spec.name} call, and nothing with an effect runs from an answer whose end is missing.`,
    {
      next: 'Make the call again.',
    },
  );
}

export function haltedTurn(reason: string): ToolError {
  return new ToolError('loop_blocked', `This turn was ended: ${reason}`, { next: 'Wait for the user.' });
}

export function repeatedCall(spec: ToolSpec, reason: string): ToolError {
  return new ToolError('loop_blocked', `${spec.name} was not run. ${reason}`, {
    next: 'Use what the earlier results say, or change the arguments.',
  });
}

export function unreadableArguments(
  spec: ToolSpec,
  call: ToolCall,
  damage: NonNullable<RepairedArguments['unrepaired']>,
): ToolError {
  const { reason, position } = damage;
  const near = call.argumentsText.slice(Math.max(0, position - 20), position + 20);
  const required = requiredOf(spec).map((name) => `${name}${typeOf(spec, name)}`);
  const needs = required.length === 0 ? '' : ` Required: ${required.join(', ')}.`;
  return new ToolError(
    'invalid_input',
    `The arguments of ${spec.name} are no JSON object (${reason.replaceAll('_', ' ')} at character ${position}, near ${JSON.stringify(near)}), so it was not run.${needs}`,
    { next: `Call ${spec.name} again with arguments such as ${exampleFor(spec)}.` },
  );
}

export function unsureArguments(spec: ToolSpec, closed: JsonObject): ToolError {
  const text = JSON.stringify(closed);
  // What is longer the model knows itself; shown in part it would invite to send it so.
  const isShown = text.length <= longestShown;
  const shown = isShown ? ` With the brackets closed they would be ${text}.` : '';
  return new ToolError(
    'invalid_input',
    `The arguments of ${spec.name} ended without their closing brackets, so it was not run: what they may lack is unknown.${shown}`,
    {
      next: isShown
        ? `If that is all of it, call ${spec.name} again with exactly these arguments; else with complete ones.`
        : `Call ${spec.name} again with complete arguments.`,
    },
  );
}

export function brokenJudgement(spec: ToolSpec, cause: unknown): ToolError {
  return new ToolError('internal', `${spec.name} could not judge its arguments, so it was not run.`, {
    next: 'Use another tool.',
    cause,
  });
}

export function hydration(spec: ToolSpec, input: JsonObject, cause: ToolError): ToolError {
  const properties = spec.inputSchema.properties;
  const known = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const received = Object.keys(input);
  const fields = {
    received,
    missing: requiredOf(spec).filter((name) => !received.includes(name)),
    unexpected: received.filter((name) => !known.includes(name)),
    mapping: mapFields(input, spec.inputSchema),
  };
  const mapping = fields.mapping.map(({ from, to }) => `${from} → ${to}`).join(', ');
  return new ToolError(
    'invalid_input',
    `${spec.name} was not run: its schema had not been shown yet, and the arguments do not fit it. ${cause.message}\n` +
      `schema: ${JSON.stringify(spec.inputSchema)}\nreceived: ${list(fields.received)}; missing: ${list(fields.missing)}; unexpected: ${list(fields.unexpected)}` +
      `${mapping === '' ? '' : `; likely: ${mapping}`}\nretry_required: true`,
    {
      next: `Call ${spec.name} again with arguments that fit the schema.`,
      data: { ...fields, retry_required: true },
      cause,
    },
  );
}

const list = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));

function requiredOf(spec: ToolSpec): string[] {
  const { required } = spec.inputSchema;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** In brackets behind a field's name; empty where the schema names no single type. */
function typeOf(spec: ToolSpec, name: string): string {
  const type = Object(Object(spec.inputSchema.properties)[name]).type;
  return typeof type === 'string' ? ` (${type})` : '';
}

function exampleFor(spec: ToolSpec): string {
  return `{${requiredOf(spec)
    .map((name) => `${JSON.stringify(name)}: …`)
    .join(', ')}}`;
}
