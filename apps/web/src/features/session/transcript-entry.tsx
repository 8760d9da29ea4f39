'use client';
import { Layers } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { memo } from 'react';
import type { Me } from '../../trpc/types.ts';
import { Callout } from '../../ui/callout.tsx';
import { Chip } from '../../ui/chip.tsx';
import { OpenOutput } from '../envelopes/open-output.tsx';
import { formatMs } from '../tools/format-time.ts';
import { ToolCard } from '../tools/tool-card.tsx';
import type { Batch } from './group-items.ts';
import { RejectedBlock } from './rejected-block.tsx';
import { StepBlock } from './step-block.tsx';
import type { Item, MarkItem, MessageItem, TurnEndItem } from './view-model.ts';

type EntryProps = { entry: Item | Batch; sessionId: string; me: Me };

export const TranscriptEntry = memo(function TranscriptEntry({ entry, sessionId, me }: EntryProps) {
  switch (entry.kind) {
    case 'message':
      return <Message message={entry} sessionId={sessionId} me={me} />;
    case 'step':
      return <StepBlock step={entry} sessionId={sessionId} />;
    case 'call':
      return (
        <div className="surface-card not-first:-mt-2 overflow-hidden">
          <ToolCard call={entry} sessionId={sessionId} userId={me.user.id} />
        </div>
      );
    case 'batch':
      return <BatchBlock batch={entry} sessionId={sessionId} me={me} />;
    case 'notice':
      return (
        <Callout tone={entry.level} next={entry.next}>
          {entry.text}
        </Callout>
      );
    case 'rejected':
      return <RejectedBlock rejected={entry} sessionId={sessionId} canWrite={me.role !== 'viewer'} />;
    case 'mark':
      return <Mark mark={entry} />;
    case 'turn-end':
      return <TurnEnd end={entry} />;
  }
});

function BatchBlock({ batch, sessionId, me }: { batch: Batch; sessionId: string; me: Me }) {
  const t = useTranslations('calls');
  return (
    <section
      aria-label={t('parallel', { count: batch.calls.length })}
      className="surface-card not-first:-mt-2 overflow-hidden"
    >
      <p className="flex h-7 items-center gap-1.5 border-b border-line bg-sunken/60 px-3 text-2xs text-ink-3">
        <Layers aria-hidden="true" className="size-3" />
        {t('parallel', { count: batch.calls.length })}
      </p>
      {batch.calls.map((call) => (
        <ToolCard key={call.id} call={call} sessionId={sessionId} userId={me.user.id} />
      ))}
    </section>
  );
}

function Message({ message, sessionId, me }: { message: MessageItem; sessionId: string; me: Me }) {
  const t = useTranslations('session');
  return (
    <article
      className="mt-3 max-w-[88%] self-end rounded-lg rounded-br-[3px] bg-hover px-3.5 py-2.5 text-md first:mt-0"
      aria-label={t('messageBy', { who: message.by === me.user.id ? 'you' : 'other' })}
    >
      <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{message.text}</p>
      {message.textRef && (
        <OpenOutput sessionId={sessionId} outputRef={message.textRef} title={t('message')} label={t('openWhole')} />
      )}
    </article>
  );
}

function Mark({ mark }: { mark: MarkItem }) {
  const t = useTranslations('session');
  return (
    <p className="flex items-center gap-3 text-xs text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      <span className="max-w-[80%] text-center [overflow-wrap:anywhere]">
        {t(`mark.${mark.name}`)}
        {mark.detail !== '' && ` ${mark.detail}`}
      </span>
    </p>
  );
}

function TurnEnd({ end }: { end: TurnEndItem }) {
  const t = useTranslations('session');
  if (end.status === 'completed') {
    return <p className="-mt-1.5 text-2xs text-ink-3 tabular-nums">{t('turnTook', { time: formatMs(end.tookMs) })}</p>;
  }
  return (
    <div className="flex items-center gap-2 text-sm">
      <Chip tone={end.status === 'failed' ? 'bad' : 'signal'}>{t(`turn.${end.status}`)}</Chip>
      {end.reason && <span className="text-ink-2 [overflow-wrap:anywhere]">{end.reason}</span>}
    </div>
  );
}
