'use client';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Callout } from '../../ui/callout.tsx';
import { CodeView } from '../../ui/code-view.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { parseDiff } from '../../ui/parse-diff.ts';
import { OpenOutput } from '../envelopes/open-output.tsx';
import type { CallItem, Repair } from '../session/view-model.ts';
import { changeOf } from './read-result-data.ts';
import { stripAnsi } from './strip-ansi.ts';

/** Everything about one call, as it was stored. */
export function CallDetails({ call, sessionId }: { call: CallItem; sessionId: string }) {
  const t = useTranslations('calls');
  const change = changeOf(call.result);
  const output = call.result ? stripAnsi(call.result.content) : null;
  return (
    <div className="flex flex-col gap-3 border-t border-line px-3 py-3">
      {call.repair && call.repair.rung !== 'strict' && <RepairNote repair={call.repair} />}
      <Section title={t('input')} copy={inputText(call)}>
        <CodeView
          code={inputText(call)}
          language={call.tool === 'run_command' ? 'bash' : 'json'}
          className="max-h-80 overflow-auto p-2.5"
        />
      </Section>
      {change && (
        <Section title={t('change', { path: change.path })} copy={change.diff}>
          <DiffView diff={parseDiff(change.diff)} />
        </Section>
      )}
      {output !== null && (
        <Section title={t('output')} copy={output}>
          <pre className="max-h-96 overflow-auto p-2.5 font-mono text-xs leading-[19px] [overflow-wrap:anywhere] whitespace-pre-wrap">
            {output}
          </pre>
        </Section>
      )}
      {call.result?.warnings.map((warning) => (
        <Callout key={warning} tone="warning">
          {warning}
        </Callout>
      ))}
      {call.result?.outputRef && (
        <OpenOutput sessionId={sessionId} outputRef={call.result.outputRef} title={call.title} label={t('openFull')} />
      )}
    </div>
  );
}

function Section({ title, copy, children }: { title: string; copy: string; children: ReactNode }) {
  const ui = useTranslations('ui');
  return (
    <section className="min-w-0 overflow-hidden rounded-md border border-line bg-bg">
      <div className="flex h-7 items-center justify-between border-b border-line pr-0.5 pl-2.5">
        <h4 className="truncate text-xs font-normal tracking-normal text-ink-3">{title}</h4>
        <CopyButton text={copy} label={ui('copy')} doneLabel={ui('copied')} />
      </div>
      {children}
    </section>
  );
}

function RepairNote({ repair }: { repair: Repair }) {
  const t = useTranslations('calls');
  return (
    <Section title={t('repairText', { rung: repair.rung })} copy={repair.before}>
      <div className="grid gap-px bg-line sm:grid-cols-2">
        {(['before', 'after'] as const).map((side) => (
          <div key={side} className="min-w-0 bg-bg p-2.5">
            <div className="text-2xs text-ink-3">{t(side)}</div>
            <pre className="font-mono text-xs [overflow-wrap:anywhere] whitespace-pre-wrap">
              {side === 'before' && repair.nameBefore ? `${repair.nameBefore} ${repair.before}` : repair[side]}
            </pre>
          </div>
        ))}
      </div>
    </Section>
  );
}

function inputText(call: CallItem): string {
  const { command } = call.input;
  if (call.tool === 'run_command' && typeof command === 'string' && Object.keys(call.input).length === 1)
    return command;
  if (Object.keys(call.input).length === 0 && call.argumentsText !== '') return call.argumentsText;
  return JSON.stringify(call.input, null, 2);
}
