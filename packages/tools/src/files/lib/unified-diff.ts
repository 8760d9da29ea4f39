import { createTwoFilesPatch } from 'diff';

const limitLines = 200;

/** Unified diff with three context lines; at most 200 lines, then the count of what is left out. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, { context: 3 });
  // The first line is a row of equal signs that no reader needs.
  const lines = patch.split('\n').slice(1);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length <= limitLines) return lines.join('\n');
  return [...lines.slice(0, limitLines), `… ${lines.length - limitLines} more lines of diff`].join('\n');
}
