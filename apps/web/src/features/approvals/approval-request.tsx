'use client';
import { TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type RefObject, useMemo } from 'react';
import { Chip } from '../../ui/chip.tsx';
import { FocusSection } from '../../ui/focus-section.tsx';
import { countLines, findTricks, stringsOf } from './find-tricks.ts';
import { readSubject, type SubjectRow } from './read-subject.ts';
import { Revealed } from './revealed.tsx';

export type Request = {
  approvalId: string;
  digest: string;
  tool: string;
  level: string;
  reason: string;
  canonicalText: string;
  scopeWords: string | null;
  scopeExamples: readonly string[];
  deadline: number;
};

/** What is asked for: its parts, then the exact bytes. `end` marks the last line, which has to be seen. */
export function ApprovalRequest({ request, end }: { request: Request; end: RefObject<HTMLDivElement | null> }) {
  const t = useTranslations('approvals');
  const subject = useMemo(() => readSubject(request.canonicalText), [request.canonicalText]);
  const bytes = useMemo(() => new TextEncoder().encode(request.canonicalText).length, [request.canonicalText]);
  return (
    <FocusSection
      aria-label={t('request')}
      className="max-h-[min(46dvh,420px)] overflow-y-auto rounded-md border border-line-strong bg-bg"
    >
      {subject && <Rows rows={subject.rows} big />}
      {subject && subject.circumstances.length > 0 && (
        <div className="border-t border-line">
          <Rows rows={subject.circumstances.map((row) => ({ ...row, name: circumstance(row.name, t) }))} />
        </div>
      )}
      <div className="border-t border-line px-3 py-2.5">
        <h3 className="text-2xs font-normal tracking-normal text-ink-3">
          {t('bytes', { bytes, digest: request.digest.slice(0, 12) })}
        </h3>
        <code className="mt-1 block font-mono text-2xs text-ink-2">
          <Revealed text={request.canonicalText} />
        </code>
      </div>
      <div ref={end} className="h-px" />
    </FocusSection>
  );
}

const known = ['cwd', 'files', 'hosts', 'env', 'image'] as const;

function circumstance(name: string, t: ReturnType<typeof useTranslations<'approvals'>>): string {
  const key = known.find((one) => one === name);
  return key ? t(`circumstance.${key}`) : name;
}

/** Texts get a line of their own; what is brief stands together below them. */
function Rows({ rows, big = false }: { rows: readonly SubjectRow[]; big?: boolean }) {
  const brief = rows.filter((row) => row.brief);
  return (
    <dl className="grid gap-x-3 gap-y-1.5 px-3 py-2.5 sm:grid-cols-[92px_1fr]">
      {rows
        .filter((row) => !row.brief)
        .map((row) => (
          <TextRow key={row.name} row={row} big={big} />
        ))}
      {brief.length > 0 && (
        <div className="flex flex-wrap gap-x-4 gap-y-1 sm:col-start-2">
          {brief.map(({ name, value }) => (
            <div key={name} className="flex gap-1.5 font-mono text-xs">
              <dt className="text-ink-3">
                <Revealed text={name} />
              </dt>
              <dd>
                <Revealed text={value} />
              </dd>
            </div>
          ))}
        </div>
      )}
    </dl>
  );
}

function TextRow({ row: { name, value }, big }: { row: SubjectRow; big: boolean }) {
  const t = useTranslations('approvals');
  return (
    <div className="contents">
      <dt className={big ? 'text-xs leading-5 text-ink-3' : 'text-xs text-ink-3'}>
        <Revealed text={name} />
      </dt>
      <dd className={big ? 'min-w-0 font-mono text-sm text-ink' : 'min-w-0 font-mono text-xs text-ink-2'}>
        <Revealed text={value} />
        {value.length > 80 && (
          <span className="block font-sans text-2xs text-ink-3">
            {t('size', { characters: value.length, lines: countLines(value) })}
          </span>
        )}
      </dd>
    </div>
  );
}

/** One chip per trick that the request plays, whatever its words say. */
export function TrickChips({ canonicalText }: { canonicalText: string }) {
  const t = useTranslations('approvals');
  const tricks = useMemo(() => findTricks(stringsIn(canonicalText)), [canonicalText]);
  if (tricks.length === 0) return null;
  return (
    <ul aria-label={t('warnings')} className="flex flex-wrap gap-1.5">
      {tricks.map((trick) => (
        <li key={trick}>
          <Chip
            tone={trick === 'markup' || trick === 'long' ? 'signal' : 'bad'}
            className="h-auto min-h-5 whitespace-normal"
          >
            <TriangleAlert aria-hidden="true" />
            {t(`trick.${trick}`)}
          </Chip>
        </li>
      ))}
    </ul>
  );
}

function stringsIn(canonicalText: string): string[] {
  try {
    return stringsOf(JSON.parse(canonicalText));
  } catch {
    return [canonicalText];
  }
}
