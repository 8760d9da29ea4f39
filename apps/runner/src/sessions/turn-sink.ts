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

/**
 * Turn and calls write through one hand, so that every payload fits its row. What the rule calls ordered goes out with
 * what follows; what must be stored before an effect, or after one, is awaited, and everything in front of it with it.
 */
export function createTurnWriter({ log, clock, envelopes, finished }: TurnWriterDeps): TurnWriter {
  const spill = createSpill(envelopes);
  const effects = trackEffects();
  const deltas = coalesceDeltas(clock, (delta) => log.post(delta, 'now'));

  async function append(events: readonly SessionEvent[]): Promise<void> {
    deltas.flush();
    await log.append(await Promise.all(events.map((event) => fitEvent(event, spill))));
  }
  async function write(event: TurnEvent | CallEvent): Promise<void> {
    const events = [...effects.note(event), storable(event)];
    if (event.kind === 'call-finished') finished.set(event.callId, event.result);
    if (!effects.mayWait(event)) return append(events);
    deltas.flush();
    for (const one of events) log.post(await fitEvent(one, spill));
  }
  function post(event: TurnEvent | CallEvent): void {
    if (event.kind === 'text-appended' || event.kind === 'reasoning-appended') {
      deltas.push(event);
      return;
    }
    effects.note(event);
    deltas.flush();
    log.post(trimEvent(storable(event)));
  }
  const journal: CallJournal = { append: write, post, finished: async (callId) => finished.get(callId) ?? null };
  return { sink: { append: write, post }, journal, append };
}

/** Which calls only read, and which were started while the model still wrote. */
function trackEffects() {
  const reads = new Set<string>();
  const early = new Set<string>();
  return {
    /** Answers the ends of early calls whose answer is thrown away: nobody else will say how they ended. */
    note(event: TurnEvent | CallEvent): SessionEvent[] {
      // A call that is planned again, because its input was changed, may have become another kind of call.
      if (event.kind === 'call-planned') reads[event.readOnly ? 'add' : 'delete'](event.callId);
      if (event.kind === 'call-started' && event.early) early.add(event.callId);
      const voided = event.kind === 'step-discarded' ? [...early].map(discardedCall) : [];
      if (event.kind === 'step-discarded' || event.kind === 'step-completed') early.clear();
      return voided;
    },
    /** An answer, a request and the result of a read change nothing: before an effect they are stored all the same. */
    mayWait(event: TurnEvent | CallEvent): boolean {
      if (event.kind === 'step-started' || event.kind === 'step-completed') return true;
      return event.kind === 'call-finished' && reads.has(event.callId);
    },
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
  return async (text, what) => {
    // A part of an outside result stays one from outside, by whichever ref it is read.
    const writer = await envelopes.open({ ...what, origin: 'transcript', cutOffset: null, kind: 'transcript' });
    await writer.write(Buffer.from(text));
    const { ref } = await writer.finish(null);
    return ref;
  };
}
