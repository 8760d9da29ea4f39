import type { ToolCall } from '../contract/tool-call.ts';

/** Wrappers that models learnt elsewhere, as letters only. */
const wrappers = new Set([
  'multitooluseparallel',
  'multitooluse',
  'paralleltooluse',
  'paralleltoolcalls',
  'parallel',
  'batch',
  'batchtool',
]);
const nameSpaces = /^(?:functions|tools?|default_?api)[.:/]/i;
const listKeys = ['tool_uses', 'tool_calls', 'invocations', 'calls', 'uses'];
const nameKeys = ['recipient_name', 'tool_name', 'name', 'tool'];
const argumentKeys = ['parameters', 'input', 'args', 'arguments'];
/** Nobody means more at once; a wrapper of more stays a call of no known tool. */
const mostCalls = 32;

/**
 * One call that holds several becomes those calls, in their order, each to be judged like any other. A wrapper that
 * cannot be read, holds another one, or bears the name of an offered tool stays as it is.
 */
export function unpackCalls(
  calls: readonly ToolCall[],
  offered: ReadonlySet<string>,
  makeId: () => string,
): ToolCall[] {
  return calls.flatMap((call) => {
    const inner = offered.has(call.name) || !isWrapper(call.name) ? null : readInner(call.argumentsText);
    return inner === null ? [call] : inner.map((one) => ({ callId: makeId(), ...one }));
  });
}

function isWrapper(name: string): boolean {
  const letters = name
    .replace(nameSpaces, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return wrappers.has(letters);
}

function readInner(text: string): Omit<ToolCall, 'callId'>[] | null {
  const list = listOf(parse(text));
  if (!Array.isArray(list) || list.length === 0 || list.length > mostCalls) return null;
  const inner = list.map(readOne);
  const whole = inner.filter((one) => one !== null);
  return whole.length === list.length ? whole : null;
}

function listOf(value: unknown): unknown {
  return firstOf(value, listKeys);
}

function readOne(value: unknown): Omit<ToolCall, 'callId'> | null {
  const name = firstOf(value, nameKeys);
  if (typeof name !== 'string' || isWrapper(name)) return null;
  const input = firstOf(value, argumentKeys) ?? {};
  return {
    name: name.replace(nameSpaces, ''),
    argumentsText: typeof input === 'string' ? input : JSON.stringify(input),
  };
}

function firstOf(value: unknown, keys: readonly string[]): unknown {
  const entries = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  return keys.map((key) => entries.get(key)).find((one) => one !== undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}
