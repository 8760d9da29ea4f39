import type { SessionEvent } from '@oneslot/core';

export type SlotKind = 'answer' | 'call' | 'mended' | 'rung' | 'refusal' | 'forged' | 'loop';
/** `index` is the event's place in its statement; `modelId` is null where an earlier statement named the model. */
export type SlotCount = { index: number; modelId: string | null; kind: SlotKind; name: string; count: number };

/** Refused before it ran, or sent back for another try. */
const refusalCodes: ReadonlySet<string> = new Set([
  'invalid_input',
  'not_available',
  'truncated_turn',
  'denied_by_policy',
  'plan_mode',
  'approval_denied',
  'approval_expired',
]);

/** What events say of how a model calls tools: how often it answered and called, and what had to be mended or refused. */
export function countSlot(events: readonly SessionEvent[]): SlotCount[] {
  let modelId: string | null = null;
  return events.flatMap((event, index) => {
    if (event.kind === 'step-started') modelId = event.modelId ?? modelId;
    return countsOf(event).map(([kind, name, count]) => ({ index, modelId, kind, name, count }));
  });
}

type Count = readonly [kind: SlotKind, name: string, count: number];

function countsOf(event: SessionEvent): Count[] {
  if (event.kind === 'step-completed')
    return [['answer', '', 1], ...(event.forged > 0 ? ([['forged', '', event.forged]] as const) : [])];
  if (event.kind === 'call-planned') return [['call', '', 1], ...rungsOf(event)];
  if (event.kind !== 'call-finished' || event.result.code === null) return [];
  const { code } = event.result;
  if (code === 'loop_blocked') return [['loop', '', 1]];
  return refusalCodes.has(code) ? [['refusal', code, 1]] : [];
}

/** One call may need a rung of either ladder; what no rung could mend is counted as such and not as mended. */
function rungsOf({ repair }: Extract<SessionEvent, { kind: 'call-planned' }>): Count[] {
  if (!repair) return [];
  const whole: Count[] = repair.unrepaired ? [] : [['mended', '', 1]];
  const mended: Count[] = repair.rung === 'strict' ? [] : [['rung', repair.rung, 1]];
  const renamed: Count[] = repair.nameBefore === null ? [] : [['rung', 'name', 1]];
  return [...whole, ...mended, ...renamed];
}
