import { changeOf, type FileChange } from '../tools/read-result-data.ts';
import type { Item } from './view-model.ts';

export type TurnChanges = { turnId: string; message: string; files: { path: string; changes: FileChange[] }[] };

/** Every change of files by turn, the newest turn first; several edits of one file stand together. */
export function deriveChanges(items: readonly Item[]): TurnChanges[] {
  const turns = new Map<string, TurnChanges>();
  let message = '';
  for (const item of items) {
    if (item.kind === 'message') message = item.text;
    if (item.kind !== 'call') continue;
    const change = changeOf(item.result);
    if (!change) continue;
    const turn = turns.get(item.turnId) ?? { turnId: item.turnId, message, files: [] };
    turns.set(item.turnId, turn);
    const file = turn.files.find((one) => one.path === change.path);
    if (file) file.changes.push(change);
    else turn.files.push({ path: change.path, changes: [change] });
  }
  return [...turns.values()].reverse();
}
