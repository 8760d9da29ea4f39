export type DiffLine = {
  kind: 'add' | 'del' | 'same' | 'hunk' | 'note';
  text: string;
  before: number | null;
  after: number | null;
};
export type Diff = { lines: DiffLine[]; added: number; removed: number };

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** A unified diff to lines with their numbers on both sides. File headers are left out: the card names the file. */
export function parseDiff(text: string): Diff {
  const diff: Diff = { lines: [], added: 0, removed: 0 };
  let before = 1;
  let after = 1;
  let inside = false;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const head = hunkHead.exec(line);
    if (head) {
      before = Number(head[1]);
      after = Number(head[2]);
      inside = true;
      diff.lines.push({ kind: 'hunk', text: line, before: null, after: null });
    } else if (!inside) {
      if (!/^(?:---|\+\+\+|diff |index )/.test(line))
        diff.lines.push({ kind: 'note', text: line, before: null, after: null });
    } else if (line.startsWith('+')) {
      diff.lines.push({ kind: 'add', text: line.slice(1), before: null, after: after++ });
      diff.added += 1;
    } else if (line.startsWith('-')) {
      diff.lines.push({ kind: 'del', text: line.slice(1), before: before++, after: null });
      diff.removed += 1;
    } else if (line.startsWith(' ') || line === '') {
      diff.lines.push({ kind: 'same', text: line.slice(1), before: before++, after: after++ });
    } else {
      diff.lines.push({ kind: 'note', text: line, before: null, after: null });
    }
  }
  return diff;
}
