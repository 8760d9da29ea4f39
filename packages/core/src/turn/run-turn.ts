import type { ToolCall } from '../contract/tool-call.ts';
import { ToolError } from '../errors.ts';
import { buildRequest, openCalls } from './build-request.ts';
import { hashPrefix } from './hash-prefix.ts';
import type { TranscriptItem } from './model-client.ts';
import { readStream, type StreamOutcome } from './read-stream.ts';
import type { TurnDeps, TurnEnd } from './turn-deps.ts';

/** Model and dispatcher take turns until no calls remain. Never rejects: whatever happens ends the turn with a reason. */
export async function runTurn(deps: TurnDeps): Promise<TurnEnd> {
  const transcript = [...deps.transcript];
  let prefix = deps.previousPrefix ?? null;
  const finish = async (status: TurnEnd['status'], reason: string | null): Promise<TurnEnd> => {
    await deps.sink.append({ kind: 'turn-finished', turnId: deps.turnId, status, reason });
    return { status, reason, transcript, prefix };
  };
  await deps.sink.append({
    kind: 'turn-started',
    turnId: deps.turnId,
    modelId: deps.model.id,
    resumed: deps.resumed ?? false,
  });
  deps.dispatcher.beginTurn();
  await dispatchOpenCalls(openCalls(transcript), transcript, deps);
  for (let step = 1; step <= (deps.maxSteps ?? 200); step += 1) {
    if (deps.signal.aborted) return finish('stopped', 'The turn was stopped.');
    transcript.push(...((await deps.takeFollowUps?.()) ?? []));
    const request = { system: deps.system, tools: deps.dispatcher.metadata(), transcript: buildRequest(transcript) };
    const hashed = hashPrefix(request, prefix);
    prefix = hashed.text;
    await deps.sink.append({
      kind: 'step-started',
      turnId: deps.turnId,
      step,
      prefixHash: hashed.text,
      prefixAppendOnly: hashed.appendOnly,
      tools: request.tools.length,
      requestBytes: hashed.requestBytes,
    });
    let answer: StreamOutcome;
    try {
      answer = await readStream(deps.model.stream(request, deps.signal), {
        tools: new Set(request.tools.map((tool) => tool.name)),
        takenIds: new Set(),
        makeId: () => `call_${step}_${deps.clock.now().toString(36)}`,
        onText: (text) => deps.sink.post({ kind: 'text-appended', step, text }),
        onReasoning: (text) => deps.sink.post({ kind: 'reasoning-appended', step, text }),
        onCallClosed: (call) => deps.dispatcher.startEarly(call, deps.signal),
      });
    } catch (error) {
      deps.dispatcher.discardEarly();
      const reason = error instanceof ToolError ? error.message : 'The model could not be read.';
      await deps.sink.append({ kind: 'step-discarded', step, reason });
      return deps.signal.aborted ? finish('stopped', 'The turn was stopped.') : finish('failed', reason);
    }
    await deps.sink.append({
      kind: 'step-completed',
      step,
      text: answer.text,
      reasoning: answer.reasoning,
      calls: answer.calls,
      ending: answer.ending,
      forged: answer.forged,
    });
    transcript.push({ kind: 'assistant', text: answer.text, reasoning: answer.reasoning, calls: answer.calls });
    if (answer.usage) deps.sink.post({ kind: 'usage-recorded', modelId: deps.model.id, ...answer.usage });
    if (answer.calls.length === 0) return finish('completed', null);
    await dispatchOpenCalls(answer.calls, transcript, deps);
    const halted = deps.dispatcher.halted();
    if (halted !== null) return finish('halted', halted);
  }
  return finish('failed', 'The turn used up its number of steps.');
}

async function dispatchOpenCalls(
  calls: readonly ToolCall[],
  transcript: TranscriptItem[],
  deps: TurnDeps,
): Promise<void> {
  if (calls.length === 0) return;
  const results = await deps.dispatcher.dispatch(calls, 'complete', deps.signal);
  for (const { callId, content, parts } of results) transcript.push({ kind: 'result', callId, content, parts });
}
