import type { EventOf, StoredEvent } from '../../trpc/types.ts';
import { changeCall, planCall, reduceCall } from './reduce-calls.ts';
import type { Item, MarkItem, SessionView, StepItem } from './view-model.ts';

/** Folds stored events into the view. Events that were seen already change nothing, so replays and overlaps are harmless. */
export function reduceEvents(view: SessionView, events: readonly StoredEvent[]): SessionView {
  const fresh = events.filter((stored) => stored.seq > view.lastSeq);
  if (fresh.length === 0) return view;
  const draft: SessionView = { ...view, items: [...view.items] };
  for (const stored of fresh) {
    if (stored.seq <= draft.lastSeq) continue;
    draft.lastSeq = stored.seq;
    reduceOne(draft, stored);
  }
  return draft;
}

function reduceOne(draft: SessionView, stored: StoredEvent): void {
  const { event, at } = stored;
  switch (event.kind) {
    case 'session-created':
    case 'session-changed':
      changeSession(draft, event);
      break;
    case 'message-queued':
      queueMessage(draft, event);
      break;
    case 'message-added':
      addMessage(draft, event, at);
      break;
    case 'turn-started':
      startTurn(draft, event, stored);
      break;
    case 'turn-finished':
      finishTurn(draft, event, stored);
      break;
    default:
      reduceStep(draft, stored);
      reduceCall(draft, event, at);
      reduceSurroundings(draft, stored);
  }
}

/** What the model says, as it grows and as it ends. */
function reduceStep(draft: SessionView, stored: StoredEvent): void {
  const { event, at } = stored;
  switch (event.kind) {
    case 'step-started':
      startStep(draft, event, at);
      noteRequest(draft, event, stored);
      break;
    case 'text-appended':
      changeStep(draft, event.step, at, (step) => ({ ...step, text: step.text + event.text }));
      break;
    case 'reasoning-appended':
      changeStep(draft, event.step, at, (step) => ({ ...step, reasoning: step.reasoning + event.text }));
      break;
    case 'step-discarded':
      discardStep(draft, event, stored);
      break;
    case 'step-completed':
      completeStep(draft, event, at);
      break;
  }
}

/** Facts beside the transcript. Kinds this page does not know yet fall through and change nothing. */
function reduceSurroundings(draft: SessionView, stored: StoredEvent): void {
  const { event, at, seq } = stored;
  if (event.kind === 'notice-added') {
    const { level, text, next } = event;
    draft.items.push({ kind: 'notice', id: `seq-${seq}`, at, level, text, next });
  }
  if (event.kind === 'compacted') mark(draft, stored, event.droppedItems > 0 ? 'compacted' : 'renewed', event.reason);
  if (event.kind === 'request-rejected') {
    const { reason, block } = event;
    draft.items.push({ kind: 'rejected', id: `seq-${seq}`, at, seq, reason, block, dropped: false });
  }
  if (event.kind === 'block-dropped') dropBlock(draft, event);
  if (event.kind === 'todos-changed') draft.todos = event.items;
  if (event.kind === 'files-changed') draft.filesVersion += 1;
  if (event.kind === 'tools-activated') draft.activated = [...new Set([...draft.activated, ...event.names])];
  if (event.kind === 'sandbox-changed') {
    const { kind: _kind, ...sandbox } = event;
    draft.sandbox = sandbox;
  }
  if (event.kind === 'usage-recorded') {
    draft.usage = {
      inputTokens: draft.usage.inputTokens + event.inputTokens,
      cachedTokens: draft.usage.cachedTokens + event.cachedTokens,
      outputTokens: draft.usage.outputTokens + event.outputTokens,
    };
  }
}

function dropBlock(draft: SessionView, { block }: EventOf<'block-dropped'>): void {
  const key = JSON.stringify(block);
  draft.items = draft.items.map((item) =>
    item.kind === 'rejected' && JSON.stringify(item.block) === key ? { ...item, dropped: true } : item,
  );
}

/** A prefix that did not only grow costs money and time: where that was not announced, people see it. */
function noteRequest(draft: SessionView, event: EventOf<'step-started'>, stored: StoredEvent): void {
  const { turnId, step, prefixHash, prefixAppendOnly: appendOnly, tools, requestBytes: bytes } = event;
  draft.requests = [...draft.requests, { turnId, step, prefixHash, appendOnly, tools, bytes }];
  if (!appendOnly) mark(draft, stored, 'prefixBroken', '');
}

/** An event that names no change says only that there was one. */
function changeSession(draft: SessionView, event: EventOf<'session-created'> | EventOf<'session-changed'>): void {
  if (event.title !== undefined) draft.title = event.title;
  if (event.mode !== undefined) draft.mode = event.mode;
  if (event.modelId !== undefined) draft.modelId = event.modelId;
  if (event.kind === 'session-changed' && event.status !== undefined) draft.status = event.status;
  if (!changed.some((field) => field in event)) draft.changeVersion += 1;
}

function queueMessage(draft: SessionView, event: EventOf<'message-queued'>): void {
  draft.pending = draft.pending.filter((one) => one.messageId !== event.messageId);
  const added = draft.items.some((item) => item.kind === 'message' && item.id === event.messageId);
  if (added || draft.queued.some((one) => one.messageId === event.messageId)) return;
  draft.queued = [...draft.queued, { messageId: event.messageId, text: event.text }];
}

function addMessage(draft: SessionView, event: EventOf<'message-added'>, at: number): void {
  draft.pending = draft.pending.filter((one) => one.messageId !== event.messageId);
  draft.queued = draft.queued.filter((one) => one.messageId !== event.messageId);
  if (draft.items.some((item) => item.kind === 'message' && item.id === event.messageId)) return;
  draft.items.push({
    kind: 'message',
    id: event.messageId,
    at,
    text: event.text,
    textRef: event.textRef ?? null,
    by: event.by,
  });
}

function startTurn(draft: SessionView, event: EventOf<'turn-started'>, stored: StoredEvent): void {
  draft.turn = { turnId: event.turnId, modelId: event.modelId, startedAt: stored.at, stepId: null };
  const last = draft.items.at(-1);
  // Several restarts in a row are one piece of news.
  if (event.resumed && !(last?.kind === 'mark' && last.name === 'resumed')) mark(draft, stored, 'resumed', '');
}

function startStep(draft: SessionView, event: EventOf<'step-started'>, at: number): void {
  const id = `${event.turnId}:${event.step}`;
  draft.turn = draft.turn && { ...draft.turn, stepId: id };
  const index = findStep(draft, id);
  const fresh = newStep(id, event.step, at);
  // A step asked again after a restart starts over; what the dead runner streamed is void.
  if (index >= 0) draft.items[index] = fresh;
  else draft.items.push(fresh);
}

function changeStep(draft: SessionView, number: number, at: number, change: (step: StepItem) => StepItem): void {
  const id = `${draft.turn?.turnId ?? 'turn'}:${number}`;
  const index = findStep(draft, id);
  const step = draft.items[index];
  if (step?.kind === 'step') draft.items[index] = change(step);
  else draft.items.push(change(newStep(id, number, at)));
}

function discardStep(draft: SessionView, event: EventOf<'step-discarded'>, stored: StoredEvent): void {
  const id = `${draft.turn?.turnId ?? 'turn'}:${event.step}`;
  draft.items = draft.items.filter((item) => {
    if (item.kind === 'step') return item.id !== id;
    return item.kind !== 'call' || item.stepId !== id || item.result !== null;
  });
  mark(draft, stored, 'discarded', event.reason);
}

function completeStep(draft: SessionView, event: EventOf<'step-completed'>, at: number): void {
  const state = event.ending === 'cut_off' ? 'cut_off' : 'complete';
  changeStep(draft, event.step, at, (step) => ({
    ...step,
    text: event.text,
    textRef: event.textRef ?? null,
    reasoning: event.reasoning,
    forged: event.forged,
    state,
  }));
  for (const call of event.calls) {
    const { callId, name, argumentsText } = call;
    if (!changeCall(draft, callId, (item) => ({ ...item, argumentsText }))) {
      planCall(draft, { callId, name, argumentsText }, at);
    }
  }
}

function finishTurn(draft: SessionView, event: EventOf<'turn-finished'>, { at, seq }: StoredEvent): void {
  const startedAt = draft.turn?.startedAt ?? at;
  draft.turn = null;
  draft.items = draft.items.map((item) =>
    item.kind === 'step' && item.state === 'streaming' ? { ...item, state: 'cut_off' as const } : item,
  );
  const { turnId, status, reason } = event;
  draft.items.push({ kind: 'turn-end', id: `seq-${seq}`, at, turnId, status, reason, tookMs: at - startedAt });
}

function mark(draft: SessionView, { at, seq }: StoredEvent, name: MarkItem['name'], detail: string): void {
  draft.items.push({ kind: 'mark', id: `seq-${seq}`, at, name, detail });
}

const changed = ['title', 'mode', 'modelId', 'status'];

const newStep = (id: string, step: number, at: number): StepItem => ({
  kind: 'step',
  id,
  at,
  step,
  text: '',
  textRef: null,
  reasoning: '',
  state: 'streaming',
  forged: 0,
});

const findStep = (draft: SessionView, id: string): number =>
  draft.items.findLastIndex((item: Item) => item.kind === 'step' && item.id === id);
