import { ToolError } from '@oneslot/core';
import { withEol } from './text-file.ts';

export type Edit = { old_string: string; new_string: string; replace_all: boolean; occurrence?: number | undefined };
/** How the place was found: exactly, or by a named tolerance when exactly one place fits. */
export type Tolerance = 'exact' | 'line-numbers' | 'line-endings' | 'trailing-spaces' | 'indent' | 'typography';
export type Replacement = { text: string; count: number; tolerance: Tolerance; lines: { from: number; to: number } };

type Place = { start: number; end: number; shift?: string };

/**
 * Replaces one text by another. Tolerances apply only where exactly one place fits; what lies outside that place
 * stays byte for byte.
 * @throws ToolError no_match · ambiguous_match
 */
export function replaceText(path: string, text: string, edit: Edit): Replacement {
  for (const candidate of candidates(edit)) {
    const exact = placesOf(text, candidate.old);
    if (exact.length > 0) return apply(text, choose(path, text, exact, edit), candidate.new, candidate.tolerance);
    for (const [tolerance, find] of tolerantFinders) {
      const places = find(text, candidate.old);
      if (places.length === 1) return apply(text, places, withoutNewEnd(text, places, candidate), tolerance);
      if (places.length > 1) throw ambiguous(path, text, places, tolerance);
    }
  }
  throw noMatch(path, text, edit.old_string);
}

/** The text as sent, then without the line numbers of read_file, should every line carry one. */
function candidates(edit: Edit): { old: string; new: string; tolerance: Tolerance }[] {
  const plain = { old: edit.old_string, new: edit.new_string, tolerance: 'exact' as const };
  const numbered = /^\s*\d+\t/;
  const lines = edit.old_string.replace(/\n$/, '').split('\n');
  if (!lines.every((line) => numbered.test(line))) return [plain];
  const strip = (text: string) =>
    text
      .split('\n')
      .map((line) => line.replace(numbered, ''))
      .join('\n');
  return [plain, { old: strip(edit.old_string), new: strip(edit.new_string), tolerance: 'line-numbers' }];
}

/** A file whose last line has no end keeps none, though both texts of the call have one. */
function withoutNewEnd(text: string, places: readonly Place[], sent: { old: string; new: string }): string {
  const atEnd = places[0]?.end === text.length && !text.endsWith('\n');
  return atEnd && sent.old.endsWith('\n') && sent.new.endsWith('\n') ? sent.new.slice(0, -1) : sent.new;
}

function placesOf(text: string, search: string): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(search); at >= 0; at = text.indexOf(search, at + search.length)) {
    places.push({ start: at, end: at + search.length });
  }
  return places;
}

function choose(path: string, text: string, places: Place[], edit: Edit): Place[] {
  if (edit.replace_all) return places;
  const [only] = places;
  if (places.length === 1 && only) {
    // `aa` stands twice in `aaa`, one place over the other.
    const start = text.indexOf(text.slice(only.start, only.end), only.start + 1);
    if (start < 0 || edit.occurrence !== undefined) return places;
    throw ambiguous(path, text, [only, { start, end: start + only.end - only.start }], 'exact');
  }
  if (edit.occurrence === undefined) throw ambiguous(path, text, places, 'exact');
  const place = places[edit.occurrence - 1];
  if (place) return [place];
  throw new ToolError(
    'no_match',
    `${path} holds the text ${places.length} times; there is no occurrence ${edit.occurrence}.`,
    {
      next: `Set occurrence between 1 and ${places.length}.`,
    },
  );
}

function apply(text: string, places: Place[], replacement: string, tolerance: Tolerance): Replacement {
  let result = '';
  let end = 0;
  for (const place of places) {
    const eol = eolAround(text, place);
    const lines = place.shift === undefined ? replacement : shiftLines(replacement, place.shift);
    result += text.slice(end, place.start) + withEol(lines, eol);
    end = place.end;
  }
  const first = places[0];
  const last = places.at(-1);
  const lines = { from: lineOf(text, first?.start ?? 0), to: lineOf(text, last?.end ?? 0) };
  return { text: result + text.slice(end), count: places.length, tolerance, lines };
}

/** The line ending used in or next to the place, so that mixed files keep each their own. */
function eolAround(text: string, place: Place): '\n' | '\r\n' {
  const inside = text.indexOf('\n', place.start);
  const at = inside >= 0 ? inside : text.lastIndexOf('\n', place.start);
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

type Finder = (text: string, search: string) => Place[];

const tolerantFinders: readonly (readonly [Tolerance, Finder])[] = [
  ['line-endings', (text, search) => findFolded(text, search, foldEol)],
  ['trailing-spaces', (text, search) => findLines(text, search, (line) => line.trimEnd())],
  ['indent', findShifted],
  ['typography', (text, search) => findFolded(text, search, (unit) => foldTypography(foldEol(unit)))],
];

const foldEol = (unit: string): string => (unit === '\r' ? '' : unit);

function foldTypography(unit: string): string {
  if (/[\u2018\u2019\u201A\u201B]/.test(unit)) return "'";
  if (/[\u201C\u201D\u201E\u201F]/.test(unit)) return '"';
  if (/[\u2010-\u2015\u2212]/.test(unit)) return '-';
  return /[\u00A0\u202F]/.test(unit) ? ' ' : unit;
}

/** Finds `search` in `text` after folding both unit by unit, and maps the place back to the original. */
function findFolded(text: string, search: string, fold: (unit: string) => string): Place[] {
  const starts: number[] = [];
  let folded = '';
  for (let index = 0; index < text.length; index++) {
    const unit = fold(text[index] ?? '');
    if (unit !== '') starts.push(index);
    folded += unit;
  }
  const wanted = Array.from({ length: search.length }, (_, index) => fold(search[index] ?? '')).join('');
  if (wanted === '') return [];
  return placesOf(folded, wanted).map(({ start, end }) => {
    const last = starts[end - 1] ?? 0;
    // A folded match that begins with a line feed takes the carriage return in front of it along.
    const first = starts[start] ?? 0;
    return { start: text[first] === '\n' && text[first - 1] === '\r' ? first - 1 : first, end: last + 1 };
  });
}

type Line = { text: string; start: number; end: number };

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((raw) => {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const at = start;
    start += raw.length + 1;
    return { text: line, start: at, end: at + line.length };
  });
}

/** Matches whole lines under `normal`; a final line break of the search is matched by position, not by text. */
function findLines(text: string, search: string, normal: (line: string) => string): Place[] {
  return matchBlocks(text, search, (have, want) => (normal(have) === normal(want) ? '' : null));
}

/** Matches whole lines that are all indented by the same extra white space, or all by the same less. */
function findShifted(text: string, search: string): Place[] {
  return matchBlocks(text, search, (have, want, shift) => {
    if (have.trim() === '' && want.trim() === '') return shift;
    const [inFile, inSearch] = [indentOf(have), indentOf(want)];
    if (have.trim() !== want.trim()) return null;
    const own = inFile.endsWith(inSearch)
      ? `+${inFile.slice(0, inFile.length - inSearch.length)}`
      : inSearch.endsWith(inFile)
        ? `-${inSearch.slice(0, inSearch.length - inFile.length)}`
        : null;
    return own !== null && (shift === null || shift === own) ? own : null;
  });
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? '';

type LineMatch = (have: string, want: string, shift: string | null) => string | null;

function matchBlocks(text: string, search: string, matches: LineMatch): Place[] {
  const wanted = linesOf(search);
  const endsWithBreak = wanted.length > 1 && wanted.at(-1)?.text === '';
  if (endsWithBreak) wanted.pop();
  if (wanted.every((line) => line.text.trim() === '')) return [];
  const have = linesOf(text);
  const places: Place[] = [];
  for (let at = 0; at + wanted.length <= have.length; at++) {
    const shift = blockShift(have, wanted, at, matches);
    const first = have[at];
    const last = have[at + wanted.length - 1];
    if (shift === null || !first || !last) continue;
    const after = have[at + wanted.length];
    const end = endsWithBreak && after ? after.start : last.end;
    places.push({ start: first.start, end, ...(/^[+-]/.test(shift) ? { shift } : {}) });
  }
  return places;
}

function blockShift(have: Line[], wanted: Line[], at: number, matches: LineMatch): string | null {
  let shift: string | null = null;
  for (const [index, line] of wanted.entries()) {
    const next: string | null = matches(have[at + index]?.text ?? '', line.text, shift);
    if (next === null && !(shift === null && line.text.trim() === '' && (have[at + index]?.text ?? '').trim() === ''))
      return null;
    shift = next;
  }
  return shift ?? '';
}

/** Moves every non-blank line by the shift that the match found: `+xx` adds, `-xx` takes away. */
function shiftLines(text: string, shift: string): string {
  const space = shift.slice(1);
  return text
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return line;
      if (shift.startsWith('+')) return space + line;
      return line.startsWith(space) ? line.slice(space.length) : line;
    })
    .join('\n');
}

export function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

function ambiguous(path: string, text: string, places: Place[], tolerance: Tolerance): ToolError {
  const lines = places.slice(0, 10).map((place) => lineOf(text, place.start));
  const how = tolerance === 'exact' ? '' : ` (allowing for ${tolerance.replaceAll('-', ' ')})`;
  return new ToolError(
    'ambiguous_match',
    `old_string occurs ${places.length} times in ${path}${how}, at lines ${lines.join(', ')}.`,
    {
      next: 'Add neighbouring lines to old_string until it is unique, or set occurrence, or set replace_all.',
    },
  );
}

function noMatch(path: string, text: string, search: string): ToolError {
  const near = closestLine(text, search);
  const hint = near
    ? ` The closest place is line ${near.line} (${Math.round(near.similarity * 100)} % alike):\n${near.around}`
    : '';
  return new ToolError('no_match', `old_string does not occur in ${path}.${hint}`, {
    next: `Call read_file {"path": ${JSON.stringify(path)}} and copy the text as it stands.`,
  });
}

function closestLine(text: string, search: string): { line: number; similarity: number; around: string } | null {
  const wanted =
    search
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  if (wanted === '') return null;
  const lines = text.split('\n').slice(0, 20_000);
  let best = { index: -1, similarity: 0 };
  for (const [index, line] of lines.entries()) {
    const similarity = likeness(line.trim(), wanted);
    if (similarity > best.similarity) best = { index, similarity };
  }
  if (best.similarity < 0.4) return null;
  const around = lines
    .slice(Math.max(0, best.index - 1), best.index + 2)
    .map((line, offset) => `${Math.max(0, best.index - 1) + offset + 1}\t${line.slice(0, 200)}`);
  return { line: best.index + 1, similarity: best.similarity, around: around.join('\n') };
}

/** Dice coefficient over character pairs: cheap, and stable under small slips. */
function likeness(a: string, b: string): number {
  if (a === b) return 1;
  const pairs = (text: string) =>
    new Set(
      Array.from({ length: Math.max(0, Math.min(text.length, 400) - 1) }, (_, index) => text.slice(index, index + 2)),
    );
  const [left, right] = [pairs(a), pairs(b)];
  if (left.size + right.size === 0) return 0;
  let shared = 0;
  for (const pair of left) if (right.has(pair)) shared++;
  return (2 * shared) / (left.size + right.size);
}
