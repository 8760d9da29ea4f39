import type { JsonObject } from './json.ts';
import type { Level } from './ports.ts';
import type { ToolCall, ToolResult } from './tool-call.ts';
import type { ToolLoad, ToolSource } from './tool-spec.ts';

/** What a turn may know of a tool: independent of any input, serialized once. */
export type ToolMetadata = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly load: ToolLoad;
  readonly source: ToolSource;
  readonly family: string;
  readonly baseLevel: Level;
};

/** How the stream ended: a cut one shuts the ladder and runs nothing with an effect. */
export type TurnEnding = 'complete' | 'cut_off';

/** Layer 3: all a turn ever holds. That tools are governed is known here, how is not. */
export type ToolDispatcher = {
  /** Resident tools sorted by name, activated ones behind them in activation order. Byte-stable within a session. */
  metadata(): readonly ToolMetadata[];
  /** One result per call, in the order of the calls, whatever happens. */
  dispatch(calls: readonly ToolCall[], ending: TurnEnding, signal: AbortSignal): Promise<ToolResult[]>;
  /** Begins a closed call early where it is read-only, offline, auto and parallel-safe; else does nothing. */
  startEarly(call: ToolCall, signal: AbortSignal): void;
  /** Throws away early starts whose stream was discarded. */
  discardEarly(): void;
  /** A new user message: loop counts start afresh. */
  beginTurn(): void;
  /** Why the loop guard ended the turn; null while it did not. */
  halted(): string | null;
};
