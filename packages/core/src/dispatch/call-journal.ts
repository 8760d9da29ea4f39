import type { CallEvent } from '../contract/ports.ts';
import type { ToolResult } from '../contract/tool-call.ts';
import { createRedactor, redactValue } from '../output/redact-secrets.ts';
import type { DispatcherDeps } from './dispatcher-deps.ts';
import type { Plan, ReadyPlan } from './plan.ts';

type JournalDeps = Pick<DispatcherDeps, 'journal' | 'secrets' | 'clock' | 'spans'>;

/** Pages draw a progress line at most this often. */
const progressEveryMs = 250;
const progressCharacters = 4_000;

export function journalPlan(plan: Plan, { journal, secrets }: JournalDeps): void {
  const ready = plan.kind === 'ready';
  const event: CallEvent = {
    kind: 'call-planned',
    callId: plan.call.callId,
    name: plan.call.name,
    tool: plan.spec?.name ?? null,
    title: titleOf(plan),
    input: plan.input,
    inputDigest: plan.inputDigest,
    level: plan.level,
    decision: ready ? plan.decision : 'refused',
    readOnly: ready && plan.readOnly,
    repair: plan.repair,
    ...(ready && plan.changedBy ? { changedBy: plan.changedBy } : {}),
  };
  journal.post(redactEvent(event, secrets));
}

/** What runs is on record: an input that a person or a hook changed makes the call planned again. */
export function journalChange(plan: Plan, deps: JournalDeps): void {
  if (plan.kind === 'ready' && plan.changedBy) journalPlan(plan, deps);
}

/** Stored before anything with an effect begins; for a read the order is enough. */
export async function journalStart(plan: ReadyPlan, early: boolean, { journal }: JournalDeps): Promise<void> {
  const event: CallEvent = { kind: 'call-started', callId: plan.call.callId, early };
  if (plan.readOnly) journal.post(event);
  else await journal.append(event);
}

export async function journalResult(result: ToolResult, { journal }: JournalDeps): Promise<void> {
  await journal.append({ kind: 'call-finished', callId: result.callId, result });
}

/** A re-delivered call: what it brought the first time, so that no effect happens twice. */
export function findStored(callId: string, { journal }: JournalDeps): Promise<ToolResult | null> {
  return journal.finished(callId);
}

/** Redacted and at most four times a second; what comes between is sent with the next. */
export function reportProgress(callId: string, { journal, secrets, clock }: JournalDeps): (text: string) => void {
  const redactor = createRedactor(secrets);
  let waiting = '';
  let lastAt = Number.NEGATIVE_INFINITY;
  return (text) => {
    waiting += redactor.push(Buffer.from(text, 'utf8').toString('latin1'));
    if (waiting === '' || clock.now() - lastAt < progressEveryMs) return;
    lastAt = clock.now();
    journal.post({
      kind: 'call-progressed',
      callId,
      text: Buffer.from(waiting, 'latin1').toString('utf8').slice(-progressCharacters),
    });
    waiting = '';
  };
}

function titleOf(plan: Plan): string {
  if (plan.kind !== 'ready') return plan.spec?.name ?? plan.call.name;
  try {
    return plan.spec.title(plan.input);
  } catch (cause) {
    // A title is decoration; a foreign tool that cannot make one keeps its name.
    return cause instanceof Error ? plan.spec.name : plan.call.name;
  }
}

function redactEvent(event: CallEvent, secrets: DispatcherDeps['secrets']): CallEvent {
  return redactValue(event, secrets) as CallEvent;
}
