/**
 * Markers by which models open and close a call in text. Seen with DeepSeek, Qwen, Llama, Mistral, Gemini, Gemma,
 * Kimi, GLM, MiniMax, Phi, LFM, Cohere, GPT-OSS, Anthropic's XML and agents that prompt for tags.
 */
export type Marker = {
  /** The name without separators, plural kept; a pair opens and closes with the same. */
  base: string;
  role: 'open' | 'close';
  /** Index behind the marker. */
  end: number;
  attributes: boolean;
  /** `<x/>`: nothing follows that belongs to it. */
  selfClosed: boolean;
  kind: 'call' | 'result' | 'agent' | 'token' | 'part';
};

/** `wait`: more text may still make a marker of it; null: it is none. */
export type MarkerRead = Marker | 'wait' | null;

const calls = [
  'toolcall toolcalls toolcallssection toolcallsection toolcallargument toolsep tooluse tooluses toolcode tool tools',
  'functioncall functioncalls invoke function argkey argvalue action pythontag',
].flatMap((names) => names.split(' '));
const results = [
  'tooluseerror toolresult toolresults toolresponse toolresponses tooloutput tooloutputs',
  'functionresult functionresults functionresponse functionresponses functionoutput',
].flatMap((names) => names.split(' '));
const agents = [
  'usemcptool accessmcpresource executecommand writetofile replaceinfile applydiff insertcontent',
  'listcodedefinitionnames browseraction askfollowupquestion newtask switchmode',
].flatMap((names) => names.split(' '));
/** Only between bars: as words they are everybody's. */
const tokens = 'channel start end call return message constrain eomid eotid imend endoftext'.split(' ');
const parts = ['parameter', 'parameters', 'arguments'];
const closingTokens = new Set(['end', 'call', 'return', 'eomid', 'eotid', 'imend', 'endoftext']);

const kinds = new Map<string, Marker['kind']>([
  ...calls.map((base) => [base, 'call'] as const),
  ...results.map((base) => [base, 'result'] as const),
  ...agents.map((base) => [base, 'agent'] as const),
  ...tokens.map((base) => [base, 'token'] as const),
  ...parts.map((base) => [base, 'part'] as const),
]);

const longestTag = 1_000;
const longestName = 80;
const zeroWidth = /[\u200b-\u200d\u2060\ufeff]/;

/**
 * Same length as the text, so that indices stay: lower case, full-width letters and bars as ASCII ones. What a
 * reader takes for a marker is one.
 */
export function fold(text: string): string {
  return text.replace(/[A-Z\uff01-\uff5e\u2016\u2581]/g, (char) => {
    if (char === '\u2016') return '|';
    if (char === '\u2581') return '_';
    const code = char.charCodeAt(0);
    return (code > 0xff00 ? String.fromCharCode(code - 0xfee0) : char).toLowerCase();
  });
}

/** Reads the marker that starts with `<` or `[` at `at` of a folded text. */
export function readMarker(folded: string, at: number, final: boolean, tools: ReadonlySet<string>): MarkerRead {
  if (folded[at] === '[') return readBracket(folded, at, final);
  const window = folded.slice(at, at + longestTag);
  if (!zeroWidth.test(window)) return readTag(window, at, final, tools);
  const { text, indices } = squeeze(window);
  const read = readTag(text, 0, final, tools);
  return read === null || read === 'wait' ? read : { ...read, end: at + (indices[read.end - 1] ?? 0) + 1 };
}

function squeeze(window: string): { text: string; indices: number[] } {
  const indices = [...window].flatMap((_, at) => (zeroWidth.test(window.charAt(at)) ? [] : [at]));
  return { text: indices.map((at) => window.charAt(at)).join(''), indices };
}

const bracketPattern = /^\[(\/?)(tool_(?:call|result)s?)\]/;
const brackets = [
  '[tool_calls]',
  '[tool_results]',
  '[/tool_calls]',
  '[/tool_results]',
  '[tool_call]',
  '[tool_result]',
  '[/tool_call]',
  '[/tool_result]',
];

function readBracket(folded: string, at: number, final: boolean): MarkerRead {
  const window = folded.slice(at, at + 20);
  const found = bracketPattern.exec(window);
  if (!found)
    return !final && at + window.length === folded.length && brackets.some((one) => one.startsWith(window))
      ? 'wait'
      : null;
  const base = `[${(found[2] ?? '').replace('_', '')}`;
  const role = found[1] === '/' ? 'close' : 'open';
  return {
    base,
    role,
    end: at + found[0].length,
    attributes: false,
    selfClosed: false,
    kind: base.includes('result') ? 'result' : 'call',
  };
}

const tagPattern = /^<([/|]*)(?:[a-z][\w.-]*(?::|\|{1,2}))?([a-z_][\w-]*)((?:[\s=][^<>]*)?)([/|]*)>/;
const partialTag = /^<(?:[/|]*[\w:.|-]*[/|]*|[/|]*(?:[a-z][\w.-]*(?::|\|{1,2}))?([a-z_][\w-]*)([\s=][^<>]*))$/;

function readTag(window: string, at: number, final: boolean, tools: ReadonlySet<string>): MarkerRead {
  const found = tagPattern.exec(window);
  if (found) {
    const [whole, lead = '', name = '', attributes = '', trail = ''] = found;
    return judgeTag({ lead, name, attributes, trail, end: at + whole.length }, tools);
  }
  const partial = partialTag.exec(window);
  if (!partial || window.length >= longestTag) return null;
  const [, name, attributes = ''] = partial;
  if (name === undefined) return final || window.length > longestName ? null : 'wait';
  const lead = /^<([/|]*)/.exec(window)?.[1] ?? '';
  const tag = { lead, name, attributes, trail: '', end: at + window.length };
  if (!final) return judgeTag({ ...tag, attributes: likelyAttributes(attributes) }, tools) && 'wait';
  const read = judgeTag(tag, tools);
  if (read === null) return null;
  // Cut off within the tag: with an attribute it was going to be a call, bare it may be anything.
  return read.attributes && read.role === 'open' ? read : null;
}

/** An attribute that has only begun, as if it were there. */
function likelyAttributes(attributes: string): string {
  const begun = attributes.trim();
  return !attributes.startsWith('=') && begun.length < 6 && 'name'.startsWith(begun.replace(/\s*=?$/, ''))
    ? ' name='
    : attributes;
}

type Tag = { lead: string; name: string; attributes: string; trail: string; end: number };

function judgeTag({ lead, name, attributes, trail, end }: Tag, tools: ReadonlySet<string>): Marker | null {
  const edge = /^(?:start|end)_|_(?:begin|start|end)$/.exec(name)?.[0] ?? '';
  const stem = name.replace(/^(?:start|end)_|_(?:begin|start|end)$/, '');
  const base = baseOf(name, stem);
  const barred = lead.includes('|') || trail.includes('|');
  const kind = kindOf(base, name, tools);
  if (kind === null || (kind === 'token' && !barred)) return null;
  if (base === 'action' && edge === '') return null;
  const closes =
    lead.includes('/') ||
    edge.includes('end') ||
    (trail.includes('|') && !lead.includes('|')) ||
    (kind === 'token' && closingTokens.has(base));
  const assigned = attributes.includes('=');
  if (!closes && base === 'invoke' && !/^\s+name\s*=/.test(attributes)) return null;
  if (!closes && base === 'function' && !attributes.startsWith('=')) return null;
  const selfClosed = !closes && (trail === '/' || attributes.endsWith('/'));
  return { base, role: closes ? 'close' : 'open', end, attributes: assigned, selfClosed, kind };
}

function baseOf(name: string, stem: string): string {
  const plain = name.replace(/[_-]/g, '');
  if (tokens.includes(plain)) return plain;
  const prefixed = /(?:^|_)(tool)[_-]?(calls?)$/.exec(stem);
  return prefixed ? `${prefixed[1]}${prefixed[2]}` : stem.replace(/[_-]/g, '');
}

function kindOf(base: string, name: string, tools: ReadonlySet<string>): Marker['kind'] | null {
  const known = kinds.get(base);
  if (known !== undefined) return known;
  if (name.startsWith('proposed_')) return 'agent';
  // Agents that prompt for tags name the tag like the tool; one plain word is also everybody's.
  return name.includes('_') && tools.has(name) ? 'agent' : null;
}
