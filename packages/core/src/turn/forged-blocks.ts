import { isElided, isMention, isProse, JsonScan, startsLikeCall } from './forged-bodies.ts';
import { type Marker, readMarker } from './forged-markers.ts';

/** Held text from `at` on, as it is and folded. `final`: nothing comes any more. */
export type View = { raw: string; folded: string; at: number; final: boolean; tools: ReadonlySet<string> };

/** What to do with the first `length` characters of the view. `mention` remembers whose opener was given back. */
export type Step =
  | { kind: 'text'; length: number }
  | { kind: 'forged'; length: number; continued?: true }
  | { kind: 'mention'; length: number; base: string }
  | { kind: 'wait' };

/** A block whose end is being looked for; it is asked again with every chunk and goes on where it was. */
export type Block = { advance(view: View): Step };

const wait: Step = { kind: 'wait' };
const longestTalk = 2_000;
/** More wrappers than this around one another are no wrappers. */
const mostWrappers = 16;

/** A pair of markers: closes at its own end outside JSON strings, depth counted. */
export class PairBlock implements Block {
  private readonly opener: Marker;
  private readonly openerLength: number;
  private cursor: number;
  private depth = 1;
  /** Open brackets of a JSON body; null until its first character came, and where the body is no JSON. */
  private brackets: number | null = null;
  private started = false;
  private inString = false;
  private blankSeen = false;

  constructor(opener: Marker, start: number) {
    this.opener = opener;
    this.openerLength = opener.end - start;
    this.cursor = this.openerLength;
  }

  advance(view: View): Step {
    if (this.opener.selfClosed) return { kind: 'forged', length: this.openerLength };
    for (;;) {
      const at = view.at + this.cursor;
      const char = view.folded[at];
      if (char === undefined) return view.final ? this.unclosed(view) : wait;
      const step = this.inString ? this.stringChar(char) : this.bodyChar(view, at, char);
      if (step) return step;
    }
  }

  private stringChar(char: string): null {
    if (char === '"') this.inString = false;
    this.cursor += char === '\\' ? 2 : 1;
    return null;
  }

  private bodyChar(view: View, at: number, char: string): Step | null {
    if (!this.started && /\S/.test(char) && char !== '\u200b') {
      this.started = true;
      if (char === '{' || char === '[') this.brackets = 0;
    }
    if (char === '<' || char === '[') {
      const marker = readMarker(view.folded, at, view.final, view.tools);
      if (marker === 'wait') return wait;
      if (marker) return this.marker(view, at, marker);
    }
    if (char === '\n' && this.isTalk(view, at))
      return { kind: 'mention', length: this.openerLength, base: this.opener.base };
    if (this.brackets !== null) {
      if (char === '"' && this.brackets > 0) this.inString = true;
      if (char === '{' || char === '[') this.brackets += 1;
      if (char === '}' || char === ']') this.brackets -= 1;
    }
    this.cursor += 1;
    return null;
  }

  private marker(view: View, at: number, marker: Marker): Step | null {
    this.cursor = marker.end - view.at;
    if (!this.isOwn(marker)) return null;
    this.depth += marker.role === 'open' ? 1 : -1;
    return this.depth > 0 ? null : this.closed(view, at, marker.end);
  }

  private isOwn(marker: Marker): boolean {
    if (this.opener.base === 'pythontag') return marker.kind === 'token' && marker.role === 'close';
    return marker.base === this.opener.base && !marker.selfClosed;
  }

  private closed(view: View, at: number, end: number): Step {
    const body = view.raw.slice(view.at + this.openerLength, at);
    const mention = isElided(body) || (!this.opener.attributes && isMention(body, this.opener.kind === 'agent'));
    return { kind: mention ? 'text' : 'forged', length: end - view.at };
  }

  /** Talk about a marker ends its paragraph; nothing more needs to be held for it. */
  private isTalk(view: View, at: number): boolean {
    const start = view.at + this.openerLength;
    if (this.blankSeen || this.opener.attributes || at - start > longestTalk) return false;
    const body = view.raw.slice(start, at);
    if (!/\n[ \t]*$/.test(body)) return false;
    this.blankSeen = true;
    return isProse(body);
  }

  private unclosed(view: View): Step {
    const length = view.raw.length - view.at;
    const body = view.raw.slice(view.at + this.openerLength);
    if (this.brackets !== null) {
      // A crooked body may have a quote too many: look again for the end, strings or not.
      const end = this.endWithoutStrings(view);
      if (end !== null) return { kind: 'forged', length: end - view.at };
    }
    if (this.opener.attributes || startsLikeCall(body)) {
      return this.depth <= mostWrappers && this.holdsBlock(view)
        ? { kind: 'forged', length: this.openerLength }
        : { kind: 'forged', length };
    }
    return { kind: 'mention', length: this.openerLength, base: this.opener.base };
  }

  /** The wrapper's end is missing but what it wraps starts with a marker: that one is judged by itself. */
  private holdsBlock(view: View): boolean {
    const at =
      view.at + this.openerLength + (/^\s*/.exec(view.folded.slice(view.at + this.openerLength))?.[0].length ?? 0);
    const first = view.folded[at];
    if (first !== '<' && first !== '[') return false;
    const marker = readMarker(view.folded, at, true, view.tools);
    return marker !== null && marker !== 'wait' && marker.role === 'open' && marker.kind !== 'part';
  }

  private endWithoutStrings(view: View): number | null {
    for (let at = view.at + this.openerLength; at < view.folded.length; at += 1) {
      if (view.folded[at] !== '<' && view.folded[at] !== '[') continue;
      const marker = readMarker(view.folded, at, true, view.tools);
      if (marker && marker !== 'wait' && marker.role === 'close' && this.isOwn(marker)) return marker.end;
    }
    return null;
  }
}

/** An invented result directly behind a call: whatever stands in it is no mention. */
export class ResultBlock implements Block {
  private readonly pair: PairBlock;
  private readonly gap: number;

  /** `start` is where the block begins, `at` where its marker stands behind white space. */
  constructor(opener: Marker, start: number, at: number) {
    this.gap = at - start;
    this.pair = new PairBlock({ ...opener, attributes: true }, at);
  }

  advance(view: View): Step {
    const step = this.pair.advance({ ...view, at: view.at + this.gap });
    return step.kind === 'wait' ? step : { kind: 'forged', length: step.length + this.gap, continued: true };
  }
}

/** A value that is its own end: the list behind `functools` or `[TOOL_CALLS]`, the object behind `to=functions.x`. */
export class ValueBlock implements Block {
  private readonly scan: JsonScan;

  /** `from`: where the bracket stands, counted from the start of the block. */
  constructor(from: number) {
    this.scan = new JsonScan(from);
  }

  advance(view: View): Step {
    const length = this.scan.advance(view.folded, view.at);
    if (length !== null) return { kind: 'forged', length };
    return view.final ? { kind: 'forged', length: view.raw.length - view.at } : wait;
  }
}

/** Text up to the first match of `end`; without one everything goes. */
export class UntilBlock implements Block {
  private readonly end: RegExp;
  private readonly from: number;
  /** Whether what matched stays. */
  private readonly exclusive: boolean;

  constructor(from: number, end: RegExp, exclusive: boolean) {
    this.from = from;
    this.end = end;
    this.exclusive = exclusive;
  }

  advance(view: View): Step {
    const text = view.folded.slice(view.at + this.from);
    const found = this.end.exec(text);
    // A match at the very end may still turn out longer.
    if (found && (view.final || found.index + found[0].length < text.length)) {
      return { kind: 'forged', length: this.from + found.index + (this.exclusive ? 0 : found[0].length) };
    }
    return view.final ? { kind: 'forged', length: view.raw.length - view.at } : wait;
  }
}
