import type { ToolCall } from '../contract/tool-call.ts';
import type { TurnEnding } from '../contract/tool-dispatcher.ts';
import { CallCollector } from './collect-calls.ts';
import type { ModelDelta } from './model-client.ts';
import { type ForgeryStripper, stripForgedCalls } from './strip-forged-calls.ts';
import { unpackCalls } from './unpack-calls.ts';

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

/**
 * Collects a streamed answer. Only the structured channel makes calls: nothing here or behind it turns text into
 * one. A stream without an end mark counts as cut off.
 */
export async function readStream(stream: AsyncIterable<ModelDelta>, handlers: StreamHandlers): Promise<StreamOutcome> {
  const reader = new StreamReader(handlers);
  for await (const delta of stream) reader.add(delta);
  return reader.finish();
}

class StreamReader {
  private readonly handlers: StreamHandlers;
  private readonly stripper: ForgeryStripper;
  private readonly calls: CallCollector;
  private text = '';
  private reasoning = '';
  private usage: StreamUsage | null = null;
  private ending: TurnEnding | null = null;

  constructor(handlers: StreamHandlers) {
    this.handlers = handlers;
    this.stripper = stripForgedCalls(handlers.tools);
    const ids = { taken: handlers.takenIds, makeId: () => handlers.makeId() };
    this.calls = new CallCollector(ids, (call) => handlers.onCallClosed(call));
  }

  add(delta: ModelDelta): void {
    switch (delta.kind) {
      case 'text':
        this.calls.endWhole();
        this.show(this.stripper.push(delta.text));
        break;
      case 'reasoning':
        this.reasoning += delta.text;
        if (delta.text !== '') this.handlers.onReasoning(delta.text);
        break;
      case 'call':
        this.calls.add(delta);
        break;
      case 'call-end':
        this.calls.end(delta.index);
        break;
      case 'usage':
        this.usage = largerUsage(this.usage, delta);
        break;
      case 'finish':
        // The worst ending holds: a limit once reached is not undone by a second mark.
        this.ending = this.ending === 'cut_off' || !isWholeEnding(delta.reason) ? 'cut_off' : 'complete';
    }
  }

  finish(): StreamOutcome {
    this.show(this.stripper.finish());
    const ending = this.ending ?? 'cut_off';
    const made = this.calls.finish(ending === 'cut_off');
    const calls = unpackCalls(made, this.handlers.tools, () => this.freshId(made));
    const { text, reasoning, usage } = this;
    return { text, reasoning, calls, ending, forged: this.stripper.forged, usage };
  }

  private freshId(made: readonly ToolCall[]): string {
    for (;;) {
      const id = this.handlers.makeId();
      if (!this.handlers.takenIds.has(id) && !made.some((call) => call.callId === id)) return id;
    }
  }

  private show(text: string): void {
    if (text === '') return;
    this.text += text;
    this.handlers.onText(text);
  }
}

function isWholeEnding(reason: Extract<ModelDelta, { kind: 'finish' }>['reason']): boolean {
  return reason === 'stop' || reason === 'calls';
}

/** Providers report usage as running totals, some of it early and some of it late. */
function largerUsage(before: StreamUsage | null, now: StreamUsage): StreamUsage {
  return {
    inputTokens: Math.max(before?.inputTokens ?? 0, now.inputTokens),
    cachedTokens: Math.max(before?.cachedTokens ?? 0, now.cachedTokens),
    outputTokens: Math.max(before?.outputTokens ?? 0, now.outputTokens),
  };
}
