import type { JsonObject, JsonValue } from '../contract/json.ts';
import type { CommandParser } from '../contract/ports.ts';
import { commandShape } from './command-shape.ts';
import { digestOf } from './digest-call.ts';

export type CallToFingerprint = {
  tool: string;
  input: JsonObject;
  command: string | undefined;
  paths: readonly string[];
  hosts: readonly string[];
  /** Fields of the input that choose what is done; part of every grant. */
  discriminators: readonly string[];
  cwd: string;
  env: readonly { name: string; valueSha256: string }[];
};

/** Two rulers on purpose: a denial stops the exact call and nothing else, a grant spares interruption for its shape. */
export type CallFingerprints = {
  exact: string;
  /** Null where nothing but the exact call may be granted. */
  grant: { fingerprint: string; words: string; examples: string[] } | null;
};

type Shape = { key: JsonValue; words: string; examples: string[] };

/** Pure: what depends on the world, folder and environment, is given. */
export function fingerprintCall(call: CallToFingerprint, parser: CommandParser | null): CallFingerprints {
  const { tool, input, cwd, env } = call;
  const place = { tool, cwd, env: env.map(({ name, valueSha256 }) => `${name}=${valueSha256}`).sort() };
  const shape = shapeOf(call, parser);
  return {
    exact: digestOf({ kind: 'exact', ...place, input }),
    grant: shape && {
      fingerprint: digestOf({ kind: 'grant', ...place, shape: shape.key }),
      words: shape.words,
      examples: shape.examples,
    },
  };
}

function shapeOf(call: CallToFingerprint, parser: CommandParser | null): Shape | null {
  if (call.command !== undefined) return parser ? ofCommand(call, call.command, parser) : null;
  if (call.hosts.length > 0) return ofHosts(call);
  return call.paths.length > 0 ? ofPaths(call) : null;
}

function ofCommand(call: CallToFingerprint, command: string, parser: CommandParser): Shape | null {
  const shape = commandShape(command, parser);
  if (!shape) return null;
  const rest = otherFields(call, command);
  return {
    key: { command: shape.words, ...rest },
    words: `commands of the form "${shape.words.join(' ')}${shape.free ? ' …' : ''}" in ${call.cwd}`,
    examples: shape.examples,
  };
}

/** Whatever else the input says to a command, such as its variables or its stdin, changes what it does. */
function otherFields(call: CallToFingerprint, command: string): JsonObject {
  const harmless = new Set(['description', 'timeout_ms', 'background']);
  const fields = Object.entries(call.input).filter(([name, value]) => value !== command && !harmless.has(name));
  return { fields: Object.fromEntries(fields) };
}

/** Scheme, host and port: another port is another service. */
function ofHosts(call: CallToFingerprint): Shape | null {
  const origins = [...new Set(textsIn(call.input).flatMap(originOf))].sort();
  if (origins.length === 0) return null;
  const chosen = chosenFields(call);
  return {
    key: { origins, chosen },
    words: `${call.tool} at ${origins.join(', ')}`,
    examples: origins.map((origin) => `${origin}/…`),
  };
}

function originOf(text: string): string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return [];
  const url = new URL(text);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : url.protocol === 'http:' ? '80' : '') : url.port;
  return [`${url.protocol}//${url.hostname}${port === '' ? '' : `:${port}`}`];
}

/** The same files again, whatever is written to them. */
function ofPaths(call: CallToFingerprint): Shape {
  const paths = [...new Set(call.paths)].sort();
  return { key: { paths, chosen: chosenFields(call) }, words: `${call.tool} on ${paths.join(', ')}`, examples: paths };
}

function chosenFields(call: CallToFingerprint): JsonObject {
  const fields = call.discriminators.filter((name) => Object.hasOwn(call.input, name));
  return Object.fromEntries(fields.map((name) => [name, call.input[name] ?? null]));
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
