'use client';
import { useMutation } from '@tanstack/react-query';
import { MessageCircleQuestion } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { useTRPCClient } from '../../trpc/client.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useErrorText } from '../live/use-error-text.ts';
import type { Answer, CallItem, Question } from '../session/view-model.ts';
import { type Draft, QuestionField } from './question-field.tsx';

/** What the model wants to know. Its words are shown as plain text; the answer goes back as data. */
export function QuestionCard({ call, sessionId }: { call: CallItem; sessionId: string }) {
  if (!call.questions) return null;
  if (call.answers) return <Answered questions={call.questions} answers={call.answers} />;
  if (call.result) return null;
  return <QuestionForm callId={call.id} questions={call.questions} sessionId={sessionId} />;
}

function QuestionForm({ callId, questions, sessionId }: { callId: string; questions: Question[]; sessionId: string }) {
  const errorText = useErrorText();
  const t = useTranslations('questions');
  const api = useTRPCClient();
  const [drafts, setDrafts] = useState<Record<string, Draft>>({});
  const draftOf = (id: string): Draft => drafts[id] ?? { labels: [], freeText: '' };
  const complete = questions.every(({ id }) => draftOf(id).labels.length > 0 || draftOf(id).freeText.trim() !== '');
  const send = useMutation({
    mutationFn: () =>
      api.questions.answer.mutate({
        sessionId,
        callId,
        answers: questions.map(({ id }) => ({
          id,
          labels: draftOf(id).labels,
          freeText: draftOf(id).freeText.trim() || null,
        })),
      }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (complete) send.mutate();
  };
  return (
    <form
      onSubmit={submit}
      className="m-2.5 mt-1 flex flex-col gap-4 rounded-lg border border-accent bg-surface p-4"
      data-card
      tabIndex={-1}
    >
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <MessageCircleQuestion aria-hidden="true" className="size-4.5 text-accent" />
        {t('title', { count: questions.length })}
      </h2>
      {questions.map((question) => (
        <QuestionField
          key={question.id}
          name={`${callId}-${question.id}`}
          question={question}
          draft={draftOf(question.id)}
          onDraft={(draft) => setDrafts({ ...drafts, [question.id]: draft })}
        />
      ))}
      {send.isError && (
        <Callout tone="error" role="alert">
          {errorText(send.error)}
        </Callout>
      )}
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" disabled={!complete || send.isPending || send.isSuccess}>
          {send.isPending && <Spinner />}
          {t('answer')}
        </Button>
        {!complete && <span className="text-xs text-ink-3">{t('incomplete')}</span>}
      </div>
    </form>
  );
}

function Answered({ questions, answers }: { questions: Question[]; answers: Answer[] }) {
  return (
    <dl className="flex flex-col gap-1 px-10 pb-2.5 text-sm">
      {questions.map((question) => {
        const answer = answers.find((one) => one.id === question.id);
        return (
          <div key={question.id}>
            <dt className="text-xs text-ink-3">{question.question}</dt>
            <dd>{[...(answer?.labels ?? []), answer?.freeText ?? ''].filter((one) => one !== '').join(' · ')}</dd>
          </div>
        );
      })}
    </dl>
  );
}
