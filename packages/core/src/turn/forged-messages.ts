import { JsonScan } from './forged-bodies.ts';
import { fold, readMarker } from './forged-markers.ts';

export type MessageVerdict = 'forged' | 'honest' | 'wait';

/** A whole message is held no longer than this; real calls printed as text are shorter. */
const longestHeld = 32 * 1024;

/**
 * Forms that count only as the whole message and only for an offered tool: bare JSON, a list of Python calls,
 * lines `Call <tool> {…}`, and anything HTML-escaped. `unescaped` judges the last by the rules for the rest.
 */
export function judgeMessage(
  text: string,
  tools: ReadonlySet<string>,
  final: boolean,
  unescaped: (text: string) => boolean,
): MessageVerdict {
  const message = text.trimStart();
  if (message === '') return final ? 'honest' : 'wait';
  if (message.length > longestHeld) return 'honest';
  const form = forms.find(({ may }) => may(message, tools));
  if (!form) return 'honest';
  if (!final) return 'wait';
  return form.is(withoutClosers(message), tools, unescaped) ? 'forged' : 'honest';
}

type Form = {
  /** Whether a message that starts so may still be of this form. */
  may(start: string, tools: ReadonlySet<string>): boolean;
  is(message: string, tools: ReadonlySet<string>, unescaped: (text: string) => boolean): boolean;
};

const forms: readonly Form[] = [
  { may: mayBeJsonCall, is: isJsonCall },
  { may: mayBePythonCalls, is: isPythonCalls },
  { may: mayBeCallLines, is: isCallLines },
  { may: mayBeEscaped, is: (message, _, unescaped) => unescaped(unescapeHtml(message)) },
];

const jsonKeys = ['type', 'name', 'arguments', 'parameters', 'function', 'id'];

function mayBeJsonCall(start: string, tools: ReadonlySet<string>): boolean {
  const key = /^(?:\[\s*)?(?:\{\s*(?:"([^"]*)("?))?|\s*$)/.exec(start);
  if (!key || (key[0].trim() === '' && start.trim() !== '')) return false;
  const [whole, name, closed] = key;
  if (name === undefined) return whole.length === start.length;
  if (!jsonKeys.some((known) => (closed === '"' ? known === name : known.startsWith(name)))) return false;
  const tool = /"name"\s*:\s*"([^"]*)"/.exec(start)?.[1];
  return (tool === undefined || tools.has(tool)) && onlyValues(start);
}

/** Nothing but bracketed values and what separates them. */
function onlyValues(text: string): boolean {
  let at = 0;
  for (;;) {
    at += /^[\s;,]*/.exec(text.slice(at))?.[0].length ?? 0;
    const char = text[at];
    if (char === undefined || char === '<') return true;
    if (char !== '{' && char !== '[') return false;
    const end = new JsonScan(at).advance(text, 0);
    if (end === null) return true;
    at = end;
  }
}

function isJsonCall(message: string, tools: ReadonlySet<string>): boolean {
  const values = splitValues(message);
  if (values === null) {
    // Cut off within the arguments of an offered tool.
    const cut =
      /^\[?\s*\{\s*(?:"type"\s*:\s*"function"\s*,\s*)?"name"\s*:\s*"([^"]+)"\s*,\s*"(?:arguments|parameters)"\s*:/.exec(
        message,
      );
    return cut !== null && tools.has(cut[1] ?? '');
  }
  const all = values.flat();
  return all.length > 0 && all.every((value) => isCall(value, tools));
}

function splitValues(message: string): unknown[] | null {
  const values: unknown[] = [];
  for (let rest = message.trim(); rest !== ''; ) {
    const end = /^[{[]/.test(rest) ? new JsonScan(0).advance(rest, 0) : null;
    const value = end === null ? undefined : parse(rest.slice(0, end));
    if (end === null || value === undefined) return null;
    values.push(value);
    rest = rest.slice(end).replace(/^[\s;,]+/, '');
  }
  return values;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

function isCall(value: unknown, tools: ReadonlySet<string>): boolean {
  if (!isRecord(value)) return false;
  if (isRecord(value.function)) return isCall(value.function, tools);
  const { name, description } = value;
  const input = value.arguments ?? value.parameters;
  if (typeof name !== 'string' || !tools.has(name) || description !== undefined) return false;
  return typeof input === 'string' || (isRecord(input) && !isSchema(input));
}

/** With a schema as parameters it is the definition of a tool, which people do ask for. */
function isSchema(input: Record<string, unknown>): boolean {
  return input.type === 'object' && (isRecord(input.properties) || Object.keys(input).length === 1);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mayBePythonCalls(start: string, tools: ReadonlySet<string>): boolean {
  const name = /^\[\s*(?:([A-Za-z_][\w.]*)(\(?)|$)/.exec(start);
  if (!name) return false;
  const [whole, called, bracket] = name;
  if (called === undefined) return true;
  if (bracket === '(') return tools.has(called);
  return whole.length === start.length && [...tools].some((tool) => tool.startsWith(called));
}

function isPythonCalls(message: string, tools: ReadonlySet<string>): boolean {
  const calls = [...message.matchAll(/(?:^\[|\)\s*,)\s*([A-Za-z_][\w.]*)\(/g)].map((call) => call[1] ?? '');
  return /\)\s*\]\s*$/.test(message) && calls.length > 0 && calls.every((name) => tools.has(name));
}

function mayBeCallLines(start: string): boolean {
  return 'Call '.startsWith(start.slice(0, 5)) && /^Call? ?[\w.-]*(?:$|\s*(?:$|\{))|^Ca?$/.test(start);
}

function isCallLines(message: string, tools: ReadonlySet<string>): boolean {
  const calls = message.trim().split(/^(?=Call )/m);
  return calls.every((call) => {
    const name = /^Call ([\w.-]+)\s*(?=\{)/.exec(call);
    if (!name || !tools.has(name[1] ?? '')) return false;
    const end = new JsonScan(0).advance(call.slice(name[0].length), 0);
    return end === null || call.slice(name[0].length + end).trim() === '';
  });
}

function mayBeEscaped(start: string): boolean {
  if (!'&lt;'.startsWith(start.slice(0, 4))) return false;
  const marker = readMarker(fold(unescapeHtml(start.replace(/&[a-z#0-9]*$/, ''))), 0, false, new Set());
  return start.length < 4 || marker !== null;
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** The closer of a call whose opener got lost. */
function withoutClosers(message: string): string {
  return message.replace(/(?:\s*<[/|][^<>]{1,80}>)+\s*$/, '');
}
