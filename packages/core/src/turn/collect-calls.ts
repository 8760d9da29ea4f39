import type { ToolCall } from '../contract/tool-call.ts';
import { argumentsText, isWholeArguments } from './arguments-text.ts';
import type { ModelDelta } from './model-client.ts';

export type CallDelta = Extract<ModelDelta, { kind: 'call' }>;
export type CallIds = { taken: ReadonlySet<string>; makeId(): string };
type Slot = { index: number; call: ToolCall; closed: boolean };

/** Puts call fragments together: by index, interleaved or not, whatever the provider forgot or sent twice. */
export class CallCollector {
  private readonly slots: Slot[] = [];
  private readonly current = new Map<number, Slot>();
  private readonly ids: CallIds;
  private readonly onClosed: (call: ToolCall) => void;

  constructor(ids: CallIds, onClosed: (call: ToolCall) => void) {
    this.ids = ids;
    this.onClosed = onClosed;
  }

  add(delta: CallDelta): void {
    const open = this.current.get(delta.index);
    const slot = open && !startsAnother(open, delta) ? open : this.start(delta.index);
    if (delta.callId && slot.call.callId === '' && !slot.closed) slot.call.callId = delta.callId;
    if (slot.call.name === '') slot.call.name = delta.name ?? '';
    slot.call.argumentsText += argumentsText(delta.argumentsText);
  }

  /** The provider marked the end of a block. */
  end(index: number): void {
    const slot = this.current.get(index);
    if (slot) this.close(slot);
  }

  /** Another block has begun: calls whose arguments are whole have ended, interleaved ones go on. */
  endWhole(): void {
    for (const slot of this.slots) if (!slot.closed && isWholeArguments(slot.call.argumentsText)) this.close(slot);
  }

  /** Every call in the order of the model. Where the stream was cut, an open call never counts as closed. */
  finish(cut: boolean): ToolCall[] {
    const ordered = [...this.slots].sort((a, b) => a.index - b.index);
    for (const slot of ordered) {
      if (!cut) this.close(slot);
      else this.identify(slot);
    }
    return ordered.map(({ call }) => ({ ...call }));
  }

  private start(index: number): Slot {
    this.endWhole();
    const slot = { index, call: { callId: '', name: '', argumentsText: '' }, closed: false };
    this.slots.push(slot);
    this.current.set(index, slot);
    return slot;
  }

  private close(slot: Slot): void {
    if (slot.closed) return;
    this.identify(slot);
    slot.closed = true;
    this.onClosed({ ...slot.call });
  }

  /** Results are joined to calls by id, so an id stands for one call of the whole session. */
  private identify({ call, closed }: Slot): void {
    if (closed) return;
    const others = this.slots.filter((slot) => slot.call !== call).map((slot) => slot.call.callId);
    const free = (id: string) => id.trim() !== '' && !this.ids.taken.has(id) && !others.includes(id);
    while (!free(call.callId)) call.callId = this.ids.makeId();
  }
}

/** Some providers give every call of an answer the same index; then a new id or, behind whole arguments, a name tells. */
function startsAnother({ call, closed }: Slot, delta: CallDelta): boolean {
  if (delta.callId && call.callId !== '' && delta.callId !== call.callId && delta.name) return true;
  return Boolean(delta.name) && call.name !== '' && !delta.callId && (closed || isWholeArguments(call.argumentsText));
}
