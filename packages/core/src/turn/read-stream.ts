import type { ToolCall } from '../contract/tool-call.ts';
import type { TurnEnding } from '../contract/tool-dispatcher.ts';
import type { ModelDelta } from './model-client.ts';
import { stripForgedCalls } from './strip-forged-calls.ts';

export type StreamUsage = { inputTokens: number; cachedTokens: number; outputTokens: number };

/** `text` is what people see: forged calls are gone and counted in `forged`. */
export type StreamOutcome = {
  text: string;
  reasoning: string;
  calls: ToolCall[];
  ending: TurnEnding;
  forged: number;
  usage: StreamUsage | null;
};

export type StreamHandlers = {
  /** Names offered to the model. */
  tools: ReadonlySet<string>;
  /** Ids already used in this session, so that a repeated one is made unique. */
  takenIds: ReadonlySet<string>;
  /** A fresh call id, asked for only where the provider gave none or a repeated one. */
  makeId(): string;
  onText(text: string): void;
  onReasoning(text: string): void;
  /** A call's block is complete; its arguments may still be damaged. */
  onCallClosed(call: ToolCall): void;
};

/** Collects a streamed answer; only the structured channel makes calls, text never does. */
export async function readStream(stream: AsyncIterable<ModelDelta>, handlers: StreamHandlers): Promise<StreamOutcome> {
  const stripper = stripForgedCalls(handlers.tools);
  const open = new Map<number, { callId: string; name: string; argumentsText: string }>();
  const outcome: StreamOutcome = { text: '', reasoning: '', calls: [], ending: 'cut_off', forged: 0, usage: null };
  const show = (text: string) => {
    if (text === '') return;
    outcome.text += text;
    handlers.onText(text);
  };
  for await (const delta of stream) {
    if (delta.kind === 'text') show(stripper.push(delta.text));
    if (delta.kind === 'reasoning') {
      outcome.reasoning += delta.text;
      handlers.onReasoning(delta.text);
    }
    if (delta.kind === 'usage')
      outcome.usage = {
        inputTokens: delta.inputTokens,
        cachedTokens: delta.cachedTokens,
        outputTokens: delta.outputTokens,
      };
    if (delta.kind === 'finish')
      outcome.ending = delta.reason === 'stop' || delta.reason === 'calls' ? 'complete' : 'cut_off';
    if (delta.kind === 'call') {
      const call = open.get(delta.index) ?? { callId: '', name: '', argumentsText: '' };
      call.callId ||= delta.callId ?? '';
      call.name ||= delta.name ?? '';
      call.argumentsText += delta.argumentsText ?? '';
      open.set(delta.index, call);
    }
  }
  show(stripper.finish());
  for (const [, call] of [...open].sort(([a], [b]) => a - b)) {
    if (call.callId === '') call.callId = handlers.makeId();
    outcome.calls.push(call);
    handlers.onCallClosed(call);
  }
  outcome.forged = stripper.forged;
  return outcome;
}
