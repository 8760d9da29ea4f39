import { type RowScore, type SetScore, score } from '../../packages/core/test/scores/score.ts';
import { type EditRow, scoreEdit } from '../../packages/tools/test/score-edits.ts';

/** Rows that may be refused are judged for harm alone; the share of exact ones is taken of the others. */
export async function scoreEdits(edits: readonly EditRow[]): Promise<SetScore> {
  const rows: RowScore[] = [];
  let acceptable = 0;
  for (const row of edits) {
    const { kind, detail } = await scoreEdit(row);
    const counts = row.mayReject !== true;
    acceptable += Number(kind === 'acceptable');
    const failures = kind === 'wrong' || (counts && kind !== 'exact') ? [detail] : [];
    rows.push(score(row.id, failures, { wrong: kind === 'wrong', counts }));
  }
  const counted = rows.filter((row) => row.counts);
  const exact = counted.filter((row) => row.failure === null).length;
  const figures = [`${acceptable} of ${rows.length - counted.length} rows that may be refused were`];
  return { rows, figures, meetsBar: rows.every((row) => !row.wrong) && exact >= 0.9 * counted.length };
}
