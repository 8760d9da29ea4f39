'use client';
import { TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type RefObject, useMemo } from 'react';
import { Chip } from '../../ui/chip.tsx';
import { cn } from '../../ui/class-names.ts';
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
  const texts = rows.filter((row) => !row.brief);
  const brief = rows.filter((row) => row.brief);
  return (
    <div className="flex flex-col gap-1.5 px-3 py-2.5">
      {texts.length > 0 && (
        <dl className="grid grid-cols-[84px_1fr] gap-x-3 gap-y-1.5">
          {texts.map((row) => (
            <TextRow key={row.name} row={row} big={big} />
          ))}
        </dl>
      )}
      {brief.length > 0 && (
        <dl className={cn('flex flex-wrap gap-x-4 gap-y-1', texts.length > 0 && 'pl-24')}>
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
        </dl>
      )}
    </div>
  );
}

function TextRow({ row: { name, value }, big }: { row: SubjectRow; big: boolean }) {
  const t = useTranslations('approvals');
  return (
    <div className="contents">
      <dt className={cn('text-xs text-ink-3', big && 'leading-5')}>
        <Revealed text={name} />
      </dt>
      <dd className={cn('min-w-0 font-mono', big ? 'text-sm text-ink' : 'text-xs text-ink-2')}>
        {value.includes('\n') ? <NumberedLines text={value} /> : <Revealed text={value} />}
        {value.length > 80 && (
          <span className="block font-sans text-2xs text-ink-3">
            {t('size', { characters: value.length, lines: countLines(value) })}
          </span>
        )}
      </dd>
    </div>
  );
}

/** Numbers show where a line begins and that a blank one is there. */
function NumberedLines({ text }: { text: string }) {
  return (
    <span className="block">
      {text.split('\n').map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
        <span key={index} className="flex gap-3">
          <span aria-hidden="true" className="w-7 shrink-0 text-right text-2xs leading-5 text-ink-3 select-none">
            {index + 1}
          </span>
          <Revealed text={line} className="min-w-0" />
        </span>
      ))}
    </span>
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
