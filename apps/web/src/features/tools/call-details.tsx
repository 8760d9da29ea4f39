'use client';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Callout } from '../../ui/callout.tsx';
import { CodeView } from '../../ui/code-view.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { parseDiff } from '../../ui/parse-diff.ts';
import { ScrollArea } from '../../ui/scroll-area.tsx';
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
      <Input call={call} />
      {change && (
        <Section title={t('change', { path: change.path })} copy={change.diff}>
          <DiffView diff={parseDiff(change.diff)} />
        </Section>
      )}
      {output !== null && (
        <Section title={t('output')} copy={output}>
          <pre className="p-2.5 font-mono text-xs leading-[19px] [overflow-wrap:anywhere] whitespace-pre-wrap">
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
        <span className="truncate text-xs text-ink-3">{title}</span>
        <CopyButton text={copy} label={ui('copy')} doneLabel={ui('copied')} />
      </div>
      <ScrollArea label={title} className="max-h-96 overflow-auto">
        {children}
      </ScrollArea>
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

/** A command is shown as one; everything else as the JSON it is. */
function Input({ call }: { call: CallItem }) {
  const t = useTranslations('calls');
  const { command, ...rest } = call.input;
  const isCommand = call.tool === 'run_command' && typeof command === 'string';
  const whole = Object.keys(call.input).length === 0 ? call.argumentsText : JSON.stringify(call.input, null, 2);
  return (
    <Section title={t('input')} copy={isCommand ? command : whole}>
      {isCommand && <CodeView code={command} language="bash" className="p-2.5" />}
      {isCommand && Object.keys(rest).length > 0 && (
        <p className="px-2.5 pb-2.5 font-mono text-2xs text-ink-3 [overflow-wrap:anywhere]">
          {Object.entries(rest)
            .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
            .join(' · ')}
        </p>
      )}
      {!isCommand && <CodeView code={whole} language="json" className="p-2.5" />}
    </Section>
  );
}
