'use client';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { DiffView } from '../../ui/diff-view.tsx';
import { parseDiff } from '../../ui/parse-diff.ts';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import type { CallItem, Result } from '../session/view-model.ts';
import { changeOf } from './read-result-data.ts';
import { stripAnsi } from './strip-ansi.ts';

const shownLines = 14;

/** What a folded card still tells: the change it made, what it prints right now, or why it failed. */
export function CallGist({ call }: { call: CallItem }) {
  const change = changeOf(call.result);
  if (change) return <FoldedDiff path={change.path} text={change.diff} />;
  if (call.state === 'running' && call.progress) {
    return (
      <pre className="max-h-32 overflow-hidden px-10 pb-2 font-mono text-xs text-ink-2">
        {stripAnsi(call.progress).split('\n').slice(-6).join('\n')}
      </pre>
    );
  }
  if ((call.state === 'failed' || call.state === 'unknown') && call.result) return <Failure result={call.result} />;
  return null;
}

function FoldedDiff({ path, text }: { path: string; text: string }) {
  const t = useTranslations('calls');
  const [all, setAll] = useState(false);
  const diff = parseDiff(text);
  const rest = diff.lines.length - shownLines;
  return (
    <div className="border-t border-line bg-surface">
      <ScrollArea label={t('change', { path })} className="overflow-x-auto">
        <DiffView diff={diff} limit={all ? Number.POSITIVE_INFINITY : shownLines} />
      </ScrollArea>
      {rest > 0 && (
        <button
          type="button"
          onClick={() => setAll(!all)}
          className="w-full border-t border-line py-1 text-xs text-ink-2 hover:bg-hover"
        >
          {all ? t('showLess') : t('showLines', { count: rest })}
        </button>
      )}
    </div>
  );
}

function Failure({ result }: { result: Result }) {
  const t = useTranslations('calls');
  const text = stripAnsi(result.content)
    .replace(/^\[[a-z_]+\]\s*/, '')
    .trim();
  return (
    <div className="px-10 pb-2.5 text-sm">
      {result.code && <span className="mr-1.5 font-mono text-xs text-bad">{result.code}</span>}
      {result.code === 'interrupted' && <span className="mr-1.5 text-signal">{t('unknownEffect')}</span>}
      <span className="line-clamp-3 inline text-ink-2 [overflow-wrap:anywhere]">
        {text.length > 400 ? `${text.slice(0, 400)} …` : text}
      </span>
    </div>
  );
}
