import type { RowScore, SetScore } from '../../packages/core/test/scores/score.ts';
import { scoreEach, wholeSet } from '../../packages/core/test/scores/score.ts';

export type Row = Record<string, unknown>;

/** One file format of a topic: keys that tell its rows from those of others, and what a run over them comes to. */
export type Format = { keys: readonly string[]; score(rows: readonly Row[], path: string): Promise<SetScore> };

/** `file` is scored where no other is named, relative to `cases/`. The first format whose keys the rows have is theirs. */
export type Topic = { file: string; formats: readonly Format[] };

/** Rows are taken for what their keys say they are; the scorer is told once, here. */
export function format<T>(
  keys: readonly string[],
  scoreSet: (rows: readonly T[], path: string) => SetScore | Promise<SetScore>,
): Format {
  return { keys, score: async (rows, path) => scoreSet(rows as readonly T[], path) };
}

/** A set that passes when every row does. */
export function everyRow<T extends { id: string }>(
  keys: readonly string[],
  scoreRow: (row: T) => RowScore | Promise<RowScore>,
): Format {
  return format<T>(keys, async (rows) => wholeSet(await scoreEach(rows, scoreRow)));
}
