import { patternDegree } from '../catalog/pattern-engine.ts';
import { ToolError } from '../errors.ts';
import type { LinePart } from './stored-source.ts';

export type LineSearch = { pattern: string; ignoreCase: boolean; context: number; limit: number; limitBytes: number };
/** `nextLine` and `nextOffset` are where the search stopped, null at the end; `long` tells of hits named by their byte. */
export type LineHits = {
  lines: string[];
  matches: number;
  nextLine: number | null;
  nextOffset: number | null;
  long: boolean;
  /** Some line was too long for its pattern and was searched in stretches. */
  split: boolean;
};
/** How a line must be taken apart so that one test takes bounded time. */
export type SearchPlan = { expression: RegExp; degree: number; partBytes: number; overlapBytes: number };

const shownLineBytes = 2_000;
/** Of a hit in a line too long to be shown. */
const beforeHit = 200;
const afterHit = 600;
/** No engine here runs in linear time, so the text a pattern is held against shrinks with its worst case, by degree. */
const partSizes = [65_536, 4_096, 1_024] as const;
/** Worst steps between two breaths of everybody else, and in all; an engine takes some 500 million a second. */
const breathSteps = 20_000_000;
const mostSteps = 5_000_000_000;

/** @throws ToolError invalid_input for a pattern that is none, or that could take for ever */
export function planSearch({ pattern, ignoreCase }: Pick<LineSearch, 'pattern' | 'ignoreCase'>): SearchPlan {
  const shown = JSON.stringify(pattern.slice(0, 80));
  const expression = compile(pattern, ignoreCase, shown);
  const degree = patternDegree(pattern);
  const partBytes = degree === null ? undefined : partSizes[degree];
  if (degree !== null && partBytes !== undefined) return { expression, degree, partBytes, overlapBytes: partBytes / 4 };
  throw new ToolError('invalid_input', `The pattern ${shown} repeats so much that a search could take for ever.`, {
    next: 'Use a pattern without nested or many + and *, without back references.',
  });
}

/** Lines are latin1, one character a byte; hits are `12:text`, their neighbours `11-text`, hits in long lines `12@4096:text`. */
export async function searchLines(
  parts: AsyncIterable<LinePart>,
  plan: SearchPlan,
  search: LineSearch,
): Promise<LineHits> {
  const hits: LineHits = { lines: [], matches: 0, nextLine: null, nextOffset: null, long: false, split: false };
  const state: State = { hits, search, before: [], after: 0, bytes: 0, seenUntil: 0 };
  let steps = 0;
  let breathed = 0;
  for await (const part of parts) {
    steps += part.text.length ** (plan.degree + 1);
    if (steps > mostSteps) {
      stop(part, state);
      return hits;
    }
    if (steps - breathed > breathSteps) {
      breathed = steps;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    hits.split ||= !part.isEnd;
    const goesOn = part.isStart && part.isEnd ? takeLine(part, plan, state) : takePart(part, plan, state);
    if (!goesOn) return hits;
  }
  return hits;
}

type State = {
  hits: LineHits;
  search: LineSearch;
  before: { text: string; line: number }[];
  after: number;
  bytes: number;
  /** Overlaps are read twice: a hit before this byte was seen. */
  seenUntil: number;
};

function takeLine(part: LinePart, { expression }: SearchPlan, state: State): boolean {
  const { hits, search } = state;
  const { text, line } = part;
  expression.lastIndex = 0;
  const found = expression.exec(text);
  if (found) {
    if (isFull(state)) return stop(part, state);
    for (const one of state.before) show(`${one.line}-${cut(one.text)}`, state);
    hits.matches += 1;
    if (text.length > shownLineBytes) showLong(part, found.index, state);
    else show(`${line}:${text}`, state);
    state.before = [];
    state.after = search.context;
  } else if (state.after > 0) {
    show(`${line}-${cut(text)}`, state);
    state.after -= 1;
  } else {
    state.before = search.context === 0 ? [] : [...state.before, { text, line }].slice(-search.context);
  }
  return true;
}

/** Each hit of a line that has no end in sight is shown by itself, with the byte it stands at. */
function takePart(part: LinePart, { expression, overlapBytes }: SearchPlan, state: State): boolean {
  state.before = [];
  state.after = 0;
  expression.lastIndex = 0;
  const overlapFrom = part.text.length - overlapBytes;
  for (let found = expression.exec(part.text); found; found = expression.exec(part.text)) {
    const { index } = found;
    if (found[0] === '') expression.lastIndex += 1;
    // The edges of a stretch are no edges of the line; the stretch beside it sees what lies across.
    const atSeam = (!part.isStart && index === 0) || (!part.isEnd && index >= overlapFrom);
    if (atSeam || part.offset + index < state.seenUntil) continue;
    if (isFull(state)) return stop({ ...part, offset: part.offset + index }, state);
    showLong(part, index, state);
    state.hits.matches += 1;
    state.seenUntil = part.offset + index + Math.max(afterHit, found[0].length);
    expression.lastIndex = Math.max(expression.lastIndex, state.seenUntil - part.offset);
  }
  return true;
}

function isFull({ hits, search, bytes }: State): boolean {
  return hits.matches >= search.limit || bytes > search.limitBytes - shownLineBytes;
}

function stop(part: LinePart, { hits }: State): false {
  hits.nextLine = part.line;
  hits.nextOffset = part.isStart && part.isEnd ? null : part.offset;
  return false;
}

function showLong(part: LinePart, index: number, state: State): void {
  state.hits.long = true;
  const from = Math.max(0, index - beforeHit);
  // Half characters at the edges would show as broken ones.
  const text = part.text.slice(from, index + afterHit).replace(/^[\x80-\xbf]+|[\xc2-\xf4][\x80-\xbf]{0,2}$/g, '');
  show(`${part.line}@${part.offset + index}:${from > 0 || !part.isStart ? '...' : ''}${text}...`, state);
}

function show(line: string, state: State): void {
  state.bytes += line.length + 1;
  state.hits.lines.push(line);
}

function cut(text: string): string {
  if (text.length <= shownLineBytes) return text;
  return `${text.slice(0, shownLineBytes).replace(/[\xc2-\xf4][\x80-\xbf]{0,2}$/, '')}...`;
}

function compile(pattern: string, ignoreCase: boolean, shown: string): RegExp {
  try {
    // The lines are latin1, so the pattern is too.
    return new RegExp(Buffer.from(pattern, 'utf8').toString('latin1'), ignoreCase ? 'gi' : 'g');
  } catch (cause) {
    throw new ToolError('invalid_input', `${shown} is no regular expression.`, {
      next: 'Escape special characters with a backslash.',
      cause,
    });
  }
}
