import type { EventOf, SessionEvent } from '../../trpc/types.ts';
import type { CallItem, SessionView } from './view-model.ts';

/** Events that belong to one tool call; others change nothing here. */
export function reduceCall(draft: SessionView, event: SessionEvent, at: number): void {
  if (event.kind === 'call-planned') applyPlan(draft, event, at);
  if (event.kind === 'approval-required') openApproval(draft, event);
  if (event.kind === 'approval-decided') closeApproval(draft, event);
  if (event.kind === 'question-asked') {
    changeCall(draft, event.callId, (call) => ({ ...call, questions: event.questions, state: 'waiting' }));
  }
  if (event.kind === 'question-answered') {
    changeCall(draft, event.callId, (call) => ({ ...call, answers: event.answers, state: 'running' }));
  }
  if (event.kind === 'call-started') {
    changeCall(draft, event.callId, (call) => ({ ...call, state: 'running', startedAt: at }));
  }
  if (event.kind === 'call-progressed') {
    changeCall(draft, event.callId, (call) => ({ ...call, progress: event.text }));
  }
  if (event.kind === 'call-finished') {
    const { result } = event;
    changeCall(draft, event.callId, (call) => ({
      ...call,
      result,
      state: event.state ?? 'unknown',
      finishedAt: at,
      progress: null,
    }));
  }
}

/** Replaces the call by its changed copy; false when no such call is there. */
export function changeCall(draft: SessionView, callId: string, change: (call: CallItem) => CallItem): boolean {
  const index = draft.items.findLastIndex((item) => item.kind === 'call' && item.id === callId);
  const call = draft.items[index];
  if (call?.kind !== 'call') return false;
  draft.items[index] = change(call);
  return true;
}

export function planCall(
  draft: SessionView,
  call: { callId: string; name: string; argumentsText: string },
  at: number,
): void {
  draft.items.push({
    kind: 'call',
    id: call.callId,
    at,
    turnId: draft.turn?.turnId ?? 'turn',
    stepId: draft.turn?.stepId ?? 'step',
    name: call.name,
    tool: null,
    title: call.name,
    input: {},
    argumentsText: call.argumentsText,
    level: null,
    decision: null,
    readOnly: false,
    repair: null,
    state: 'drafted',
    approval: null,
    questions: null,
    answers: null,
    progress: null,
    startedAt: null,
    finishedAt: null,
    result: null,
  });
}

function applyPlan(draft: SessionView, event: EventOf<'call-planned'>, at: number): void {
  const { callId, name, tool, title, input, level, decision, readOnly, repair } = event;
  const planned = (call: CallItem): CallItem => ({
    ...call,
    name,
    tool,
    title,
    input,
    level,
    decision,
    readOnly,
    repair,
    // A call planned again after a restart keeps what already happened to it.
    state: call.state === 'drafted' ? 'planned' : call.state,
  });
  if (changeCall(draft, callId, planned)) return;
  planCall(draft, { callId, name, argumentsText: '' }, at);
  changeCall(draft, callId, planned);
}

function openApproval(draft: SessionView, event: EventOf<'approval-required'>): void {
  const { kind: _kind, ...approval } = event;
  changeCall(draft, event.callId, (call) => ({ ...call, approval: { ...approval, decided: null }, state: 'waiting' }));
}

function closeApproval(draft: SessionView, event: EventOf<'approval-decided'>): void {
  const { kind: _kind, approvalId, callId, ...decided } = event;
  changeCall(draft, callId, (call) => {
    if (call.approval?.approvalId !== approvalId) return call;
    const state = call.state === 'waiting' ? 'planned' : call.state;
    return { ...call, approval: { ...call.approval, decided }, state };
  });
}
