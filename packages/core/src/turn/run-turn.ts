import type { ToolCall } from '../contract/tool-call.ts';
import type { TurnEnding } from '../contract/tool-dispatcher.ts';
import { buildRequest, openCalls } from './build-request.ts';
import { hashPrefix, toolsOf } from './hash-prefix.ts';
import type { ModelRequest, RejectedItem, TranscriptItem } from './model-client.ts';
import { type Answer, readAnswer } from './read-answer.ts';
import type { StreamOutcome } from './read-stream.ts';
import type { TurnDeps, TurnEnd } from './turn-deps.ts';
import type { ConversationBlock } from './turn-event.ts';

const defaultMaxSteps = 200;
const manyTools = 20;
/** The first comes fast because most cuts are a dropped connection. */
const retryDelaysMs = [100, 1_000];
const stoppedReason = 'The turn was stopped.';

/** What a turn remembers from step to step. */
type Progress = { transcript: TranscriptItem[]; prefix: string | null; step: number; toldOfForgery: boolean };
type Ending = { status: TurnEnd['status']; reason: string | null };

/**
 * Model and dispatcher take turns until no calls remain. Whatever model or tools do ends the turn with a reason;
 * it rejects only where the log cannot be written, because then nothing that follows would be known.
 */
export async function runTurn(deps: TurnDeps): Promise<TurnEnd> {
  const progress: Progress = {
    transcript: [...deps.transcript],
    prefix: deps.previousPrefix ?? null,
    step: 0,
    toldOfForgery: false,
  };
  await deps.sink.append({
    kind: 'turn-started',
    turnId: deps.turnId,
    modelId: deps.model.id,
    resumed: deps.resumed ?? false,
  });
  deps.dispatcher.beginTurn();
  const ending = await playTurn(progress, deps);
  await deps.sink.append({ kind: 'turn-finished', turnId: deps.turnId, ...ending });
  return { ...ending, transcript: progress.transcript, prefix: progress.prefix };
}

async function playTurn(progress: Progress, deps: TurnDeps): Promise<Ending> {
  const open = openCalls(progress.transcript);
  const resumed = await dispatchCalls(open.calls, open.cutOff ? 'cut_off' : 'complete', progress, deps);
  if (resumed) return resumed;
  const maxSteps = deps.maxSteps ?? defaultMaxSteps;
  while (progress.step < maxSteps) {
    if (deps.signal.aborted) return { status: 'stopped', reason: stoppedReason };
    await takeFollowUps(progress, deps);
    progress.step += 1;
    const answer = await askModel(progress, deps);
    if (answer.kind === 'stopped') return keepStopped(answer, progress, deps);
    if (answer.kind === 'cut') return { status: 'failed', reason: answer.reason };
    const ending = await followAnswer(answer.outcome, progress, deps);
    if (ending) return ending;
  }
  return { status: 'failed', reason: `The turn used up its ${maxSteps} steps.` };
}

/**
 * A broken stream is thrown away whole, whatever people saw of it, and asked again: nothing of it was run but reads.
 * What the provider refuses would be refused again.
 */
async function askModel(progress: Progress, deps: TurnDeps): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const request = await startStep(progress, deps);
    const answer = await readAnswer({ request, step: progress.step, takenIds: idsOf(progress.transcript) }, deps);
    if (answer.kind === 'whole') return answer;
    deps.dispatcher.discardEarly();
    if (answer.kind === 'stopped' && answer.text !== '') return answer;
    const reason = answer.kind === 'cut' ? answer.reason : stoppedReason;
    await deps.sink.append({ kind: 'step-discarded', step: progress.step, reason });
    const block = answer.kind === 'cut' && answer.rejected ? blockOf(request, answer.rejected) : null;
    if (block) await deps.sink.append({ kind: 'request-rejected', step: progress.step, reason, block });
    const delay = retryDelaysMs[attempt - 1];
    if (answer.kind === 'stopped' || !answer.again || delay === undefined) return answer;
    await deps.clock.sleep(delay, deps.signal);
    if (deps.signal.aborted) return { kind: 'stopped', text: '', reasoning: '' };
  }
}

/** Null where the refused item is none that could be left out, such as an answer of the model itself. */
function blockOf({ transcript }: ModelRequest, { at, part }: RejectedItem): ConversationBlock | null {
  const item = transcript[at];
  if (item?.kind === 'result') return { kind: 'result', callId: item.callId, part };
  if (item?.kind !== 'user') return null;
  return { kind: 'message', place: transcript.slice(0, at).filter((one) => one.kind === 'user').length };
}

async function startStep(progress: Progress, deps: TurnDeps): Promise<ModelRequest> {
  const renewal = await deps.renewPrefix?.();
  if (renewal) {
    await deps.sink.append({ kind: 'compacted', ...renewal });
    progress.prefix = null;
  }
  const request = {
    system: deps.system,
    tools: deps.dispatcher.metadata(),
    transcript: buildRequest(progress.transcript),
  };
  warnOfTools(request.tools.length, toolsOf(progress.prefix), deps);
  const prefix = hashPrefix(request, progress.prefix);
  progress.prefix = prefix.text;
  await deps.sink.append({
    kind: 'step-started',
    turnId: deps.turnId,
    step: progress.step,
    prefixHash: prefix.text,
    prefixAppendOnly: prefix.appendOnly,
    tools: request.tools.length,
    requestBytes: prefix.requestBytes,
    modelId: deps.model.id,
  });
  return request;
}

/** Once, where the line is crossed: beyond it models choose worse, and each definition is paid for with every request. */
function warnOfTools(now: number, before: number, deps: TurnDeps): void {
  if (now <= manyTools || before > manyTools) return;
  deps.sink.post({
    kind: 'notice-added',
    level: 'warning',
    text: `${now} tools are active; above ${manyTools} models choose worse.`,
    next: 'A change of the model or a new session begins with fewer.',
  });
}

/** Null goes on with the next step. */
async function followAnswer(outcome: StreamOutcome, progress: Progress, deps: TurnDeps): Promise<Ending | null> {
  const { text, reasoning, calls, ending, forged, usage } = outcome;
  await deps.sink.append({ kind: 'step-completed', step: progress.step, text, reasoning, calls, ending, forged });
  if (usage) deps.sink.post({ kind: 'usage-recorded', modelId: deps.model.id, ...usage });
  progress.transcript.push(assistantItem(outcome));
  const toldNow = noticeForgery(forged, progress, deps);
  if (calls.length > 0) return dispatchCalls(calls, ending, progress, deps);
  // Whoever called in the wrong way gets to read so once, instead of the turn ending in silence.
  if (toldNow || (await takeFollowUps(progress, deps))) return null;
  if (ending === 'cut_off') {
    deps.sink.post({
      kind: 'notice-added',
      level: 'warning',
      text: 'The answer was cut off before its end.',
      next: 'Ask the model to go on.',
    });
  }
  return { status: 'completed', reason: null };
}

async function dispatchCalls(
  calls: readonly ToolCall[],
  ending: TurnEnding,
  progress: Progress,
  deps: TurnDeps,
): Promise<Ending | null> {
  if (calls.length > 0) {
    const results = await deps.dispatcher.dispatch(calls, ending, deps.signal);
    // Joined by place: a call id may have been made unique on the way.
    calls.forEach((call, index) => {
      const result = results[index];
      if (result)
        progress.transcript.push({ kind: 'result', callId: call.callId, content: result.content, parts: result.parts });
    });
  }
  // A cancelled turn says so even where its calls also went in circles.
  if (deps.signal.aborted) return { status: 'stopped', reason: stoppedReason };
  const halted = deps.dispatcher.halted();
  if (halted === null) return null;
  deps.sink.post({
    kind: 'notice-added',
    level: 'error',
    text: `The turn was ended: ${halted}`,
    next: 'Tell the model another way, or send the message again.',
  });
  return { status: 'halted', reason: halted };
}

/** What people saw before they stopped it stays; its calls were never made. */
async function keepStopped(
  answer: Extract<Answer, { kind: 'stopped' }>,
  progress: Progress,
  deps: TurnDeps,
): Promise<Ending> {
  const { text, reasoning } = answer;
  if (text !== '') {
    await deps.sink.append({
      kind: 'step-completed',
      step: progress.step,
      text,
      reasoning,
      calls: [],
      ending: 'cut_off',
      forged: 0,
    });
    progress.transcript.push({ kind: 'assistant', text, reasoning, calls: [], cutOff: true });
  }
  return { status: 'stopped', reason: stoppedReason };
}

async function takeFollowUps(progress: Progress, deps: TurnDeps): Promise<boolean> {
  const items = (await deps.takeFollowUps?.()) ?? [];
  progress.transcript.push(...items);
  if (items.some((item) => item.kind === 'user')) deps.dispatcher.beginTurn();
  return items.length > 0;
}

function noticeForgery(forged: number, progress: Progress, deps: TurnDeps): boolean {
  if (forged === 0 || progress.toldOfForgery) return false;
  progress.toldOfForgery = true;
  deps.sink.post({
    kind: 'notice-added',
    level: 'warning',
    text: 'The model wrote text that imitates a tool call. It was removed and never run.',
    next: null,
  });
  return true;
}

function assistantItem({ text, reasoning, calls, ending, forged }: StreamOutcome): TranscriptItem {
  return {
    kind: 'assistant',
    text,
    reasoning,
    calls,
    ...(ending === 'cut_off' ? { cutOff: true } : {}),
    ...(forged > 0 ? { forged } : {}),
  };
}

function idsOf(transcript: readonly TranscriptItem[]): Set<string> {
  return new Set(
    transcript.flatMap((item) => (item.kind === 'assistant' ? item.calls.map((call) => call.callId) : [])),
  );
}
