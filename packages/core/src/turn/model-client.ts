import type { Dialect } from '../contract/dialect.ts';
import type { ResultPart, ToolCall } from '../contract/tool-call.ts';
import type { ToolMetadata } from '../contract/tool-dispatcher.ts';

/** One entry of the conversation as every provider dialect is built from it. Calls and results are joined by `callId`. */
export type TranscriptItem =
  | { kind: 'user'; text: string }
  /** Told to the model by the host: an interruption, a pre-filter hint, a reminder to use the real channel. */
  | { kind: 'note'; text: string }
  /** `cutOff` where its end was never seen; `forged` counts call-shaped text that was removed from it. */
  | {
      kind: 'assistant';
      text: string;
      reasoning: string;
      calls: readonly ToolCall[];
      cutOff?: boolean;
      forged?: number;
    }
  | { kind: 'result'; callId: string; content: string; parts: readonly ResultPart[] };

export type ModelRequest = {
  system: string;
  tools: readonly ToolMetadata[];
  transcript: readonly TranscriptItem[];
};

/** One piece of a streamed answer. `index` tells blocks apart; fragments of several calls may interleave. */
export type ModelDelta =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  /** `callId` and `name` come whole with the first fragment or later; arguments come in pieces. */
  | { kind: 'call'; index: number; callId?: string; name?: string; argumentsText?: string }
  /** A block whose end the provider marks; without it a call ends with the next block or the stream. */
  | { kind: 'call-end'; index: number }
  | { kind: 'usage'; inputTokens: number; cachedTokens: number; outputTokens: number }
  /** `length` means the answer was cut off by its limit. A stream that ends without this item is cut off too. */
  | { kind: 'finish'; reason: 'stop' | 'calls' | 'length' | 'filtered' | 'other' };

/** The item of a request's transcript, by its place, that a provider refused, and what of it. */
export type RejectedItem = { at: number; part: 'image' | 'text' };
/** `data` of an upstream_error: whether asking again is pointless, and what was refused where that is known. */
export type ModelFailure = { final: boolean; rejected?: RejectedItem | null };

/** Port for providers. Retries happen inside and only before the first delta. @throws ToolError upstream_error */
export type ModelClient = {
  readonly id: string;
  /** Calls come back in the words tools were told in; absent where they were told as they are. */
  readonly dialect?: Dialect;
  /** Prefix hash of tools and system is computed by the turn; a client must send both before the messages. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
};
