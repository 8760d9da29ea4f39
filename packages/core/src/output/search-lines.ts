import { ToolError } from '../errors.ts';

export type LineSearch = { pattern: string; ignoreCase: boolean; context: number; limit: number; limitBytes: number };
/** `nextLine` is where the search stopped, null at the end. */
export type LineHits = { lines: string[]; matches: number; nextLine: number | null };

const shownLineBytes = 2_000;
/** Repetition inside repetition can take for ever on one line, and no engine here runs in linear time. */
const runaway = /\([^)]*[+*}][^)]*\)\s*(?:[+*]|\{\d+,)/;

/** Lines are latin1, one character a byte; hits are `12:text`, their neighbours `11-text`. */
export async function searchLines(lines: AsyncIterable<string>, search: LineSearch): Promise<LineHits> {
  const pattern = compile(search);
  const hits: LineHits = { lines: [], matches: 0, nextLine: null };
  let before: { text: string; number: number }[] = [];
  let after = 0;
  let bytes = 0;
  let number = 0;
  const show = (text: string, at: number, mark: string) => {
    const line = `${at}${mark}${text.length > shownLineBytes ? `${text.slice(0, shownLineBytes)}...` : text}`;
    bytes += line.length + 1;
    hits.lines.push(line);
  };
  for await (const text of lines) {
    number += 1;
    const isHit = pattern.test(text.slice(0, 65_536));
    if (isHit && (hits.matches === search.limit || bytes > search.limitBytes - shownLineBytes)) {
      hits.nextLine = number;
      return hits;
    }
    if (isHit) {
      for (const line of before) show(line.text, line.number, '-');
      show(text, number, ':');
      hits.matches += 1;
      before = [];
      after = search.context;
    } else if (after > 0) {
      show(text, number, '-');
      after -= 1;
    } else {
      before = search.context === 0 ? [] : [...before, { text, number }].slice(-search.context);
    }
  }
  return hits;
}

function compile({ pattern, ignoreCase }: LineSearch): RegExp {
  if (runaway.test(pattern)) {
    throw new ToolError('invalid_input', `The pattern ${JSON.stringify(pattern.slice(0, 80))} repeats a repetition.`, {
      next: 'Use a pattern without nested + or *.',
    });
  }
  try {
    // The lines are latin1, so the pattern is too.
    return new RegExp(Buffer.from(pattern, 'utf8').toString('latin1'), ignoreCase ? 'i' : '');
  } catch (cause) {
    throw new ToolError('invalid_input', `${JSON.stringify(pattern.slice(0, 80))} is no regular expression.`, {
      next: 'Escape special characters with a backslash.',
      cause,
    });
  }
}
