import type { ModelClient, ModelDelta, ModelRequest } from '../turn/model-client.ts';

/** One answer: its deltas, or a function of the request; an Error is thrown where it stands. */
export type ScriptedAnswer =
  | readonly (ModelDelta | Error)[]
  | ((request: ModelRequest) => readonly (ModelDelta | Error)[]);

/** A model that says what the script says, one answer a request, and keeps every request it saw. */
export function scriptedModel(
  answers: readonly ScriptedAnswer[],
  id = 'scripted',
): ModelClient & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    id,
    requests,
    async *stream(request, signal) {
      const answer = answers[requests.length];
      requests.push(request);
      if (!answer) throw new Error(`The script has no answer number ${requests.length}.`);
      for (const delta of typeof answer === 'function' ? answer(request) : answer) {
        signal.throwIfAborted();
        if (delta instanceof Error) throw delta;
        yield delta;
      }
    },
  };
}

/** An answer of text alone. */
export const says = (text: string): ModelDelta[] => [
  { kind: 'text', text },
  { kind: 'finish', reason: 'stop' },
];

/** An answer that makes calls: name and input each. */
export const callsTools = (...calls: { id: string; name: string; input: unknown }[]): ModelDelta[] => [
  ...calls.flatMap((call, index): ModelDelta[] => [
    {
      kind: 'call',
      index,
      callId: call.id,
      name: call.name,
      argumentsText: typeof call.input === 'string' ? call.input : JSON.stringify(call.input),
    },
    { kind: 'call-end', index },
  ]),
  { kind: 'finish', reason: 'calls' },
];
