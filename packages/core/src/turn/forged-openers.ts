import { type Block, type Step, UntilBlock, ValueBlock, type View } from './forged-blocks.ts';
import type { Marker } from './forged-markers.ts';

/** A block that starts here, a step that is already certain, or null where neither does. */
export type Opening = Block | Step | null;

const wait: Step = { kind: 'wait' };
/** Openers are told within this many characters. */
const longestHead = 200;

const label = String.raw`[ \t]*\**`;
const reactHead = new RegExp(
  String.raw`^${label}action(?: ?\d+)?:\**[ \t]*[\x60"]?[\w.-]+[\x60"]?[ \t]*\r?\n${label}action input(?: ?\d+)?:\**[ \t]*`,
);

/** ReAct: a line `Action: <one word>` and under it `Action Input:`. */
export function openReact(view: View): Opening {
  const rest = view.folded.slice(view.at, view.at + 2 * longestHead);
  const head = reactHead.exec(rest)?.[0];
  if (head === undefined) return !view.final && mayBeReact(rest) ? wait : null;
  const value = rest[head.length];
  if (value === undefined && !view.final) return wait;
  return value === '{' || value === '[' ? new ValueBlock(head.length) : new UntilBlock(head.length, /(?=\n)/, true);
}

function mayBeReact(rest: string): boolean {
  const [first = '', second, ...more] = rest.split('\n').map((line) => line.replace(/^[ \t]*\**/, ''));
  if (second === undefined) {
    return 'action:'.startsWith(first) || /^action(?: ?\d*)?(?::\**[ \t]*[`"]?[\w.-]*[`"]?[ \t]*\r?)?$/.test(first);
  }
  if (more.length > 0 || !/^action(?: ?\d+)?:\**[ \t]*[`"]?[\w.-]+[`"]?[ \t]*\r?$/.test(first)) return false;
  return 'action input:'.startsWith(second) || /^action input ?\d*:?\**[ \t]*$/.test(second);
}

/** Phi's `functools[{…}]` and a leaked recipient, `to=functions.x … {…}`. */
export function openWord(view: View): Opening {
  const rest = view.folded.slice(view.at, view.at + longestHead);
  const list = /^functools\s*\[(?=\s*\{)/.exec(rest)?.[0];
  if (list !== undefined) return new ValueBlock(list.length - 1);
  const recipient = /^to=[\w.]*functions?\.[\w.-]+[^{\n]{0,80}\n?\s*(?=\{)/.exec(rest)?.[0];
  if (recipient !== undefined) return new ValueBlock(recipient.length);
  const unfinished = !view.final && view.at + rest.length === view.folded.length;
  const may =
    'functools['.startsWith(rest) ||
    /^functools\s*\[?\s*$/.test(rest) ||
    /^to=[\w.]*[^{\n]{0,80}\n?\s*$/.test(rest) ||
    'to='.startsWith(rest);
  return unfinished && may ? wait : null;
}

const harmonyHead =
  /^(?:<\|start\|>[^<]{0,80})?<\|channel\|>\s*(commentary|analysis|final)(?!\w)[^<]{0,120}(?:<\|constrain\|>[^<]{0,40})?(?:<\|message\|>)?/;

/** `<|channel|>commentary … <|message|> … <|end|>`; of the final channel only the tokens go. */
export function openHarmony(view: View, marker: Marker): Opening {
  if (marker.base !== 'channel' && marker.base !== 'start') return null;
  const rest = view.folded.slice(view.at, view.at + 2 * longestHead);
  const head = harmonyHead.exec(rest);
  if (!head) {
    if (!view.final) return mayBeHarmony(rest) ? wait : null;
    return marker.end === view.raw.length ? { kind: 'forged', length: marker.end - view.at } : null;
  }
  if (!view.final && !head[0].endsWith('<|message|>') && head[0].length + '<|constrain|>'.length >= rest.length)
    return wait;
  if (head[1] === 'final') return { kind: 'forged', length: head[0].length };
  return new UntilBlock(head[0].length, /<\|(?:end|call|return)\|>|(?=<\|(?:start|channel)\|>)/, false);
}

function mayBeHarmony(rest: string): boolean {
  const [, channel, tail = ''] = /^(?:<\|start\|>[^<]{0,80})?(<\|channel\|>\s*)?(.*)$/s.exec(rest) ?? [];
  if (channel === undefined) return '<|channel|>'.startsWith(tail);
  return ['commentary', 'analysis', 'final'].some((name) => name.startsWith(tail));
}

/** Markers whose value is its own end: Mistral's list or named arguments, JSON behind Llama's python tag. */
export function openValue(view: View, marker: Marker): Opening {
  if (marker.base !== '[toolcalls' && marker.base !== 'pythontag') return null;
  const rest = view.folded.slice(marker.end, marker.end + longestHead);
  const head = /^\s*(?:[\w.-]+\s*(?:\[call_id\][\w-]*)?(?:\[args\])?\s*)?(?=[[{])(?!\[(?:call_id|args))/.exec(
    rest,
  )?.[0];
  const unfinished = !view.final && marker.end + rest.length === view.folded.length;
  const value = rest.slice(head?.length ?? 0);
  // A bracket may yet turn out to be one of the words between the name and its arguments.
  if (head !== undefined && unfinished && ['[call_id]', '[args]'].some((word) => word.startsWith(value))) return wait;
  if (head !== undefined) return new ValueBlock(marker.end - view.at + head.length);
  return unfinished && /^\s*[\w.-]*\s*(?:\[[a-z_]*\]?[\w-]*)?\s*$/.test(rest) ? wait : null;
}
