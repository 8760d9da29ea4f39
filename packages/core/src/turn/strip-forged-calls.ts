import { CodeRegions, spanEnd } from './code-regions.ts';
import { type Block, PairBlock, ResultBlock, type Step, UntilBlock, ValueBlock, type View } from './forged-blocks.ts';
import { fold, type Marker, readMarker } from './forged-markers.ts';
import { judgeMessage } from './forged-messages.ts';
import { type Opening, openHarmony, openReact, openValue, openWord } from './forged-openers.ts';

/** Feed text in any chunking; `push` answers what may be shown now, `finish` what was held back. */
export type ForgeryStripper = {
  push(chunk: string): string;
  finish(): string;
  /** Forged calls removed so far. */
  readonly forged: number;
};

/**
 * Removes call-shaped text from an answer; `tools` are the names offered, for forms that count only for those.
 * The visible text is the same for every chunking: a step is taken only when no further text could change it.
 */
export function stripForgedCalls(tools: ReadonlySet<string>): ForgeryStripper {
  return new Stripper(tools);
}

const wait: Step = { kind: 'wait' };
const special = /[\n`<[]|(?<!\w)[ft]/g;
const thinking = /^[ \t]*<(think|thinking|reasoning)>/;
const forgedFences = new Set(['tool_code', 'tool_output', 'tool_outputs']);
/** Closers and white space that hang together are held no longer than this. */
const longestGap = 500;
const harmonyEnds = new Set(['end', 'call', 'return']);
const observation = /^observation(?: ?\d+)?:/;
const observationEnd = /\n(?=[ \t]*\**(?:thought|action|final answer|answer|question)(?: ?\d+)?:)|\n[ \t]*(?=\n)/;

class Stripper implements ForgeryStripper {
  forged = 0;
  private readonly tools: ReadonlySet<string>;
  private raw = '';
  private folded = '';
  private at = 0;
  private last = '';
  private readonly code = new CodeRegions();
  private verbatimLine = false;
  private started = false;
  private judgeAgainAt = 0;
  private block: Block | null = null;
  /** A block has just been removed: its stray closers and invented results go with it. */
  private trailing = false;
  /** That block was a value among values, told apart by commas or semicolons. */
  private list = false;
  /** Markers that were given back as talk; their closers are talk too. */
  private readonly mentioned = new Set<string>();

  constructor(tools: ReadonlySet<string>) {
    this.tools = tools;
  }

  push(chunk: string): string {
    return this.run(chunk, false);
  }

  finish(): string {
    return this.run('', true);
  }

  private run(chunk: string, final: boolean): string {
    this.raw += chunk;
    this.folded += fold(chunk);
    let shown = '';
    while (this.at < this.raw.length) {
      const view: View = { raw: this.raw, folded: this.folded, at: this.at, final, tools: this.tools };
      const step = this.step(view);
      if (step.kind === 'wait') break;
      shown += this.take(step);
    }
    this.last = this.folded[this.at - 1] ?? this.last;
    this.raw = this.raw.slice(this.at);
    this.folded = this.folded.slice(this.at);
    this.at = 0;
    return shown;
  }

  private take(step: Exclude<Step, { kind: 'wait' }>): string {
    const text = this.raw.slice(this.at, this.at + step.length);
    this.at += step.length;
    this.list = this.block instanceof ValueBlock || (step.kind === 'forged' && step.continued === true && this.list);
    this.block = null;
    if (step.kind === 'forged') {
      if (!step.continued) this.forged += 1;
      this.trailing = true;
      this.code.atLineStart = false;
      return '';
    }
    if (step.kind === 'mention') this.mentioned.add(step.base);
    this.code.atLineStart = false;
    this.code.shown(text);
    if (this.code.atLineStart) this.verbatimLine = false;
    return text;
  }

  private step(view: View): Step {
    if (!this.started) {
      const length = view.raw.length - view.at;
      if (!view.final && length < this.judgeAgainAt) return wait;
      // Long ones are looked at less often; that only delays what is shown.
      this.judgeAgainAt = length + 1 + (length >> 3);
      const verdict = judgeMessage(view.raw.slice(view.at), this.tools, view.final, (text) => this.isForged(text));
      if (verdict === 'wait') return wait;
      this.started = true;
      if (verdict === 'forged') return { kind: 'forged', length: view.raw.length - view.at };
    }
    if (this.block) return this.block.advance(view);
    if (this.trailing) {
      const step = this.behindBlock(view);
      if (step) return step;
      this.trailing = false;
    }
    if (this.code.atLineStart) {
      const step = this.lineStart(view);
      if (step) return step;
      this.code.atLineStart = false;
    }
    return this.verbatimLine || this.code.fence !== null ? this.untilNewline(view) : this.inText(view);
  }

  private isForged(text: string): boolean {
    const inner = new Stripper(this.tools);
    const visible = inner.push(text) + inner.finish();
    return inner.forged > 0 && visible.trim() === '';
  }

  private open(view: View, opening: Opening): Step | null {
    return opening !== null && 'advance' in opening ? this.begin(view, opening) : opening;
  }

  private begin(view: View, block: Block): Step {
    this.block = block;
    return block.advance(view);
  }

  /** Closers and invented results directly behind a removed block. */
  private behindBlock(view: View): Step | null {
    const at = skipSpace(view.folded, view.at);
    if (at - view.at > longestGap) return null;
    const char = view.folded[at];
    if (char === undefined) return view.final ? null : wait;
    if (char === '<' || char === '[') {
      const marker = readMarker(view.folded, at, view.final, this.tools);
      if (marker === 'wait') return wait;
      if (marker?.role === 'close') return { kind: 'forged', length: marker.end - view.at, continued: true };
      if (marker?.kind === 'result') return this.begin(view, new ResultBlock(marker, view.at, at));
    }
    const rest = view.folded.slice(at, at + 20);
    const next = /^[;,]\s*(?=\{)/.exec(rest)?.[0];
    if (next !== undefined && this.list) return this.begin(view, new ValueBlock(at - view.at + next.length));
    if (this.list && !view.final && at + rest.length === view.folded.length && /^[;,]\s*$/.test(rest)) return wait;
    if (observation.test(rest)) return this.begin(view, new UntilBlock(at - view.at, observationEnd, true));
    return !view.final && at + rest.length === view.folded.length && 'observation:'.startsWith(rest) ? wait : null;
  }

  private lineStart(view: View): Step | null {
    const rest = view.folded.slice(view.at);
    const start = this.code.lineStart(rest, view.final);
    if (start.kind === 'wait') return wait;
    if (start.kind === 'verbatim') {
      this.code.indented = this.code.fence === null && !/^ {0,3}>/.test(rest);
      this.verbatimLine = true;
      return null;
    }
    if (start.kind === 'fence') {
      const info = /^[\w-]*/.exec(start.info)?.[0] ?? '';
      if (forgedFences.has(info)) {
        const end = new RegExp(`(?:^|\\n)[ \\t]*${start.mark.charAt(0)}{${start.mark.length},}[ \\t]*(?=\\n|$)`);
        return this.begin(view, new UntilBlock(start.length - (rest[start.length - 1] === '\n' ? 1 : 0), end, false));
      }
      this.code.fence = start.mark;
      return { kind: 'text', length: start.length };
    }
    return this.thought(view, rest) ?? this.open(view, openReact(view));
  }

  /** Leaked thinking with a call in it goes as a whole; without one it is shown. */
  private thought(view: View, rest: string): Step | null {
    const opener = thinking.exec(rest);
    if (!opener)
      return !view.final && isStartOf(rest.trimStart(), ['<think>', '<thinking>', '<reasoning>']) ? wait : null;
    const closer = `</${opener[1] ?? ''}>`;
    const end = rest.indexOf(closer, opener[0].length);
    if (end < 0) return view.final ? null : wait;
    const length = end + closer.length;
    const inner = new Stripper(this.tools);
    inner.push(view.raw.slice(view.at + opener[0].length, view.at + end));
    inner.finish();
    return { kind: inner.forged > 0 ? 'forged' : 'text', length };
  }

  private untilNewline(view: View): Step {
    const newline = view.folded.indexOf('\n', view.at);
    return { kind: 'text', length: (newline < 0 ? view.raw.length : newline + 1) - view.at };
  }

  private inText(view: View): Step {
    special.lastIndex = view.at;
    const found = special.exec(view.folded);
    if (!found) return { kind: 'text', length: view.raw.length - view.at };
    if (found.index > view.at) return { kind: 'text', length: found.index - view.at };
    const char = found[0];
    if (char === '\n') return { kind: 'text', length: 1 };
    if (char === '`') return this.ticks(view);
    const step = char === '<' || char === '[' ? this.marker(view) : this.word(view);
    if (!step || step.kind === 'text' || this.code.span === 0) return step ?? { kind: 'text', length: 1 };
    return this.withinSpan(view) ?? step;
  }

  private ticks(view: View): Step {
    const run = /^`+/.exec(view.folded.slice(view.at))?.[0].length ?? 1;
    if (!view.final && view.at + run === view.folded.length) return wait;
    if (this.code.span === 0) this.code.span = run;
    else if (this.code.span === run) this.code.span = 0;
    return { kind: 'text', length: run };
  }

  /** A marker behind an open backtick is code if the span closes; else the backtick was only a character. */
  private withinSpan(view: View): Step | null {
    const end = spanEnd(view.folded.slice(view.at), this.code.span, view.final);
    if (end !== null && end !== 'none') this.block = null;
    if (end === null) {
      this.block = null;
      return wait;
    }
    this.code.span = 0;
    return end === 'none' ? null : { kind: 'text', length: end };
  }

  private word(view: View): Step | null {
    return view.at === 0 && /\w/.test(this.last) ? null : this.open(view, openWord(view));
  }

  private marker(view: View): Step | null {
    const marker = readMarker(view.folded, view.at, view.final, this.tools);
    if (marker === 'wait') return wait;
    if (marker === null || marker.kind === 'part') return null;
    if (marker.role === 'close') return this.closers(view, marker);
    if (marker.kind === 'token') return this.open(view, openHarmony(view, marker));
    return this.open(view, openValue(view, marker) ?? new PairBlock(marker, view.at));
  }

  /** A closer without an opener goes if it ends the message; within a sentence it stays. */
  private closers(view: View, first: Marker): Step {
    const text: Step = { kind: 'text', length: first.end - view.at };
    const stopToken = first.kind === 'token' && !harmonyEnds.has(first.base);
    if (stopToken || this.mentioned.has(first.base)) return text;
    for (let at = first.end; ; ) {
      at = skipSpace(view.folded, at);
      if (at - view.at > longestGap) return text;
      if (at >= view.folded.length) return view.final ? { kind: 'forged', length: view.raw.length - view.at } : wait;
      const next =
        view.folded[at] === '<' || view.folded[at] === '[' ? readMarker(view.folded, at, view.final, this.tools) : null;
      if (next === 'wait') return wait;
      if (next?.role !== 'close') return text;
      at = next.end;
    }
  }
}

/** Index of the first character that is no white space; stops looking where the gap is too long to matter. */
function skipSpace(text: string, from: number): number {
  let at = from;
  while (at - from <= longestGap && /\s/.test(text[at] ?? '.')) at += 1;
  return at;
}

/** The text is an unfinished start of one of the words. */
function isStartOf(text: string, words: readonly string[]): boolean {
  return words.some((word) => word.startsWith(text));
}
