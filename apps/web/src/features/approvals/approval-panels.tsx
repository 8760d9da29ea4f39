'use client';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, Input, TextArea } from '../../ui/field.tsx';
import type { Request } from './approval-request.tsx';
import { readInput } from './read-subject.ts';
import { Revealed } from './revealed.tsx';
import { type Answer, parseInput } from './use-decide.ts';

type PanelProps = { busy: boolean; onClose: () => void; onAnswer: (answer: Answer) => void };

/** What "for this session" would admit, said before it is granted. */
export function ScopePanel({ request, busy, onClose, onAnswer }: PanelProps & { request: Request }) {
  const t = useTranslations('approvals');
  return (
    <Frame title={t('scopeTitle')}>
      <p className="text-sm">
        <Revealed text={request.scopeWords ?? ''} />
      </p>
      {request.scopeExamples.length > 0 && (
        <ul className="flex flex-col gap-1" aria-label={t('scopeExamples')}>
          {request.scopeExamples.map((example) => (
            <li key={example} className="rounded-sm bg-bg px-2 py-1 font-mono text-xs text-ink-2">
              <Revealed text={example} />
            </li>
          ))}
        </ul>
      )}
      <Row onClose={onClose}>
        <Button variant="primary" disabled={busy} onClick={() => onAnswer({ decision: 'approve_session' })}>
          {t('approveSessionNow')}
        </Button>
      </Row>
    </Frame>
  );
}

export function DenyPanel({ busy, onClose, onAnswer }: PanelProps) {
  const t = useTranslations('approvals');
  const [reason, setReason] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ decision: 'deny', reason: reason.trim() });
      }}
    >
      <Frame title={t('denyTitle')}>
        <Field label={t('reason')} hint={t('reasonHint')}>
          {(ids) => (
            <Input
              {...ids}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
              maxLength={2_000}
              autoFocus
            />
          )}
        </Field>
        <Row onClose={onClose}>
          <Button type="submit" variant="danger" disabled={busy}>
            {t('denyNow')}
          </Button>
        </Row>
      </Frame>
    </form>
  );
}

export function EditPanel({ request, busy, onClose, onAnswer }: PanelProps & { request: Request }) {
  const t = useTranslations('approvals');
  const [text, setText] = useState(() => readInput(request.canonicalText));
  const parsed = parseInput(text);
  const problem = 'problem' in parsed ? t(`problem.${parsed.problem}`, { detail: parsed.detail }) : null;
  return (
    <Frame title={t('editTitle')}>
      <Field label={t('editLabel')} hint={t('editHint')} error={problem}>
        {(ids) => (
          <TextArea
            {...ids}
            value={text}
            spellCheck={false}
            autoFocus
            rows={Math.min(14, text.split('\n').length + 1)}
            onChange={(event) => setText(event.target.value)}
            className="font-mono text-xs"
          />
        )}
      </Field>
      <Row onClose={onClose}>
        <Button
          variant="primary"
          disabled={busy || problem !== null}
          onClick={() => 'input' in parsed && onAnswer({ decision: 'edit', input: parsed.input })}
        >
          {t('approveEdited')}
        </Button>
      </Row>
    </Frame>
  );
}

function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2.5 rounded-md bg-sunken p-3">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </div>
  );
}

function Row({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const ui = useTranslations('ui');
  return (
    <div className="flex gap-2">
      {children}
      <Button variant="ghost" onClick={onClose}>
        {ui('back')}
      </Button>
    </div>
  );
}
