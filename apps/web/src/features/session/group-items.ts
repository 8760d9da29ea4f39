import type { CallItem, Item } from './view-model.ts';

export type Batch = { kind: 'batch'; id: string; calls: CallItem[] };

/** Neighbouring calls of one answer whose running times overlapped become one batch; everything else stays as it is. */
export function groupItems(items: readonly Item[]): (Item | Batch)[] {
  const grouped: (Item | Batch)[] = [];
  let open: CallItem[] = [];
  const close = () => {
    const [first] = open;
    if (first) grouped.push(open.length > 1 ? { kind: 'batch', id: `batch-${first.id}`, calls: open } : first);
    open = [];
  };
  for (const item of items) {
    if (item.kind !== 'call') {
      close();
      grouped.push(item);
      continue;
    }
    if (open.length > 0 && !overlaps(open, item)) close();
    open.push(item);
  }
  close();
  return grouped;
}

function overlaps(open: readonly CallItem[], call: CallItem): boolean {
  const { startedAt } = call;
  if (startedAt === null || open[0]?.stepId !== call.stepId) return false;
  return open.some((one) => one.startedAt !== null && (one.finishedAt === null || one.finishedAt > startedAt));
}
