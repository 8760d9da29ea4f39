import { cn } from './class-names.ts';
import type { Diff, DiffLine } from './parse-diff.ts';

const tones = { add: 'bg-diff-add', del: 'bg-diff-del', same: '', hunk: 'text-ink-3 bg-sunken', note: 'text-ink-3' };
const signs = { add: '+', del: '−', same: ' ', hunk: '', note: '' };

/** As wide as its longest line: whoever shows it decides how it scrolls. */
export function DiffView({ diff, limit = Number.POSITIVE_INFINITY }: { diff: Diff; limit?: number }) {
  const lines = diff.lines.slice(0, limit);
  const widest = Math.max(1, ...lines.map((line) => line.after ?? line.before ?? 0));
  return (
    <pre className="w-max min-w-full font-mono text-xs leading-[19px]">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of a diff has no other name
        <Row key={index} line={line} width={`${String(widest).length + 1}ch`} />
      ))}
    </pre>
  );
}

function Row({ line, width }: { line: DiffLine; width: string }) {
  const number = line.kind === 'del' ? line.before : line.after;
  return (
    <div className={cn('flex px-2', tones[line.kind])}>
      <span aria-hidden="true" className="shrink-0 text-right text-ink-3 select-none" style={{ width }}>
        {number ?? ''}
      </span>
      <span
        className={cn(
          'w-6 shrink-0 text-center select-none',
          line.kind === 'add' && 'text-ok',
          line.kind === 'del' && 'text-bad',
        )}
      >
        {signs[line.kind]}
      </span>
      <span className="whitespace-pre">{line.text || ' '}</span>
    </div>
  );
}

export function DiffCount({ diff }: { diff: Diff }) {
  return (
    <span className="font-mono text-2xs tabular-nums">
      <span className="text-ok">+{diff.added}</span> <span className="text-bad">−{diff.removed}</span>
    </span>
  );
}
