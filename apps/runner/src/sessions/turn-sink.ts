import type {
  CallEvent,
  CallJournal,
  Clock,
  EnvelopeStore,
  SessionEvent,
  ToolResult,
  TurnEvent,
  TurnSink,
} from '@oneslot/core';
import { voidResult } from './close-open-calls.ts';
import { coalesceDeltas } from './coalesce-deltas.ts';
import { fitEvent, type Spill, trimEvent } from './fit-event.ts';
import type { SessionLog } from './session-log.ts';

export type TurnWriter = {
  sink: TurnSink;
  journal: CallJournal;
  /** Returns once stored. */
  append(events: readonly SessionEvent[]): Promise<void>;
};
export type TurnWriterDeps = {
  log: SessionLog;
  clock: Clock;
  envelopes: EnvelopeStore;
  /** Results that were stored before this lease; those of this lease join them. */
  finished: Map<string, ToolResult>;
};

/** Turn and calls write through one hand, so that their events keep their order and every payload fits its row. */
export function createTurnWriter({ log, clock, envelopes, finished }: TurnWriterDeps): TurnWriter {
  const deltas = coalesceDeltas(clock, (delta) => log.post(delta));
  const spill = createSpill(envelopes);

  async function appendAll(events: readonly SessionEvent[]): Promise<void> {
    deltas.flush();
    await log.append(await Promise.all(events.map((event) => fitEvent(event, spill))));
  }
  /** Started while the model still wrote; when that answer is thrown away nobody else will say how they ended. */
  const early = new Set<string>();
  const append: TurnSink['append'] & CallJournal['append'] = async (event) => {
    const voided = event.kind === 'step-discarded' ? [...early].map(discardedCall) : [];
    if (event.kind === 'step-discarded' || event.kind === 'step-completed') early.clear();
    await appendAll([...voided, storable(event)]);
    if (event.kind === 'call-finished') finished.set(event.callId, event.result);
  };
  const post: TurnSink['post'] & CallJournal['post'] = (event) => {
    if (event.kind === 'text-appended' || event.kind === 'reasoning-appended') return deltas.push(event);
    if (event.kind === 'call-started' && event.early) early.add(event.callId);
    deltas.flush();
    log.post(trimEvent(storable(event)));
  };
  return {
    sink: { append, post },
    journal: { append, post, finished: async (callId) => finished.get(callId) ?? null },
    append: appendAll,
  };
}

function discardedCall(callId: string): SessionEvent {
  const content = '[cancelled] The answer that made this call was thrown away before its end, and the call with it.';
  return { kind: 'call-finished', callId, result: voidResult(callId, 'cancelled', content) };
}

/** Results are shared and read-only in core; a row is its own copy. */
function storable(event: TurnEvent | CallEvent): SessionEvent {
  if (event.kind !== 'call-finished') return event;
  const { result } = event;
  return { ...event, result: { ...result, parts: [...result.parts], warnings: [...result.warnings] } };
}

/** Texts of the conversation itself live as long as the session, in the same store as large outputs. */
function createSpill(envelopes: EnvelopeStore): Spill {
  return async (text, { callId, tool }) => {
    const writer = await envelopes.open({ callId, tool, origin: 'transcript', untrusted: false, cutOffset: null });
    await writer.write(Buffer.from(text));
    const { ref } = await writer.finish(null);
    return ref;
  };
}
