import type { SessionView } from './view-model.ts';

/** A message shown before the runner has said that it is stored. */
export function addPending(view: SessionView, messageId: string, text: string): SessionView {
  const known =
    view.queued.some((one) => one.messageId === messageId) ||
    view.items.some((item) => item.kind === 'message' && item.id === messageId);
  if (known) return view;
  const others = view.pending.filter((one) => one.messageId !== messageId);
  return { ...view, pending: [...others, { messageId, text, state: 'sending', error: null }] };
}

/** The message could not be handed over; it stays on the page with its reason until it is sent again or dropped. */
export function failPending(view: SessionView, messageId: string, error: string): SessionView {
  const pending = view.pending.map((one) =>
    one.messageId === messageId ? { ...one, state: 'failed' as const, error } : one,
  );
  return { ...view, pending };
}

export function dropPending(view: SessionView, messageId: string): SessionView {
  return { ...view, pending: view.pending.filter((one) => one.messageId !== messageId) };
}

/** The log has no event for a message that was taken back: the row is gone, so the page drops it too. */
export function dropQueued(view: SessionView, messageId: string): SessionView {
  return { ...view, queued: view.queued.filter((one) => one.messageId !== messageId) };
}

/** Of the messages asked about, only those the runner still has stay in the queue; newer ones were not asked about. */
export function keepQueued(view: SessionView, asked: readonly string[], kept: readonly string[]): SessionView {
  const queued = view.queued.filter(({ messageId }) => !asked.includes(messageId) || kept.includes(messageId));
  return queued.length === view.queued.length ? view : { ...view, queued };
}
