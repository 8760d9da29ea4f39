import type { ModelClient, TranscriptItem } from '@oneslot/core';
import { currentTurn, type OfflineAnswer, type OfflineDeps, playAnswer } from './offline-stream.ts';
import { type TourResult, tourScript } from './tour-script.ts';

/** A guided session on real tools, offline and in process. Where it stands follows from the transcript alone. */
export function createTour(deps: OfflineDeps): ModelClient {
  return {
    id: 'tour',
    stream: (request, signal) => playAnswer(nextAnswer(request.transcript), deps, signal),
  };
}

/** The step is the number of answers since the last user message, so a restart goes on where the log ends. */
export function nextAnswer(transcript: readonly TranscriptItem[]): OfflineAnswer {
  const { items } = currentTurn(transcript);
  const step = items.filter((item) => item.kind === 'assistant').length;
  const play = tourScript[step];
  if (!play) return { text: 'The tour is over. Send any message to take it again.', calls: [] };
  return play({ step, results: resultsOf(items) });
}

function resultsOf(items: readonly TranscriptItem[]): TourResult[] {
  const contents = new Map(
    items.flatMap((item) => (item.kind === 'result' ? [[item.callId, item.content] as const] : [])),
  );
  return items
    .flatMap((item) => (item.kind === 'assistant' ? item.calls : []))
    .map((call) => {
      const content = contents.get(call.callId) ?? '';
      // A refusal starts with its code in brackets, whatever the tool.
      return { name: call.name, input: JSON.parse(call.argumentsText), content, failed: /^\[[a-z_]+\]/.test(content) };
    });
}
