import type { Compaction, Dialect, ModelClient, StoredEvent } from '@oneslot/core';

/** Beyond this models choose worse. */
export const manyTools = 20;

export type PrefixOwner = {
  memory: { requestModel: string | null };
  catalog: { active(): readonly string[]; metadata(): readonly unknown[]; keepActive(names: readonly string[]): void };
  speak(dialect: Dialect): void;
};

/**
 * Another model is told its tools in its own dialect, so what the last one had in its cache is worth nothing: the
 * prefix starts anew, and with it the list of tools, of which the last used ones stay.
 */
export async function renewPrefix(
  session: PrefixOwner,
  model: ModelClient,
  readEvents: () => Promise<readonly StoredEvent[]>,
): Promise<Compaction | null> {
  session.speak(model.dialect ?? 'plain');
  const before = session.memory.requestModel;
  session.memory.requestModel = model.id;
  if (before === null || before === model.id) return null;
  const { catalog } = session;
  const resident = catalog.metadata().length - catalog.active().length;
  const kept = lastUsed(catalog.active(), await readEvents()).slice(0, Math.max(0, manyTools - resident));
  catalog.keepActive(kept);
  const reason = `The model changed from ${before} to ${model.id}; tools and instructions are told anew.`;
  return { reason, droppedItems: 0, activeTools: [...catalog.active()] };
}

/** Newest use first; what was only activated counts by when. */
function lastUsed(active: readonly string[], events: readonly StoredEvent[]): string[] {
  const used = events.flatMap(({ event }) => {
    if (event.kind === 'tools-activated') return event.names;
    return event.kind === 'call-planned' && event.tool !== null ? [event.tool] : [];
  });
  return active.toSorted((a, b) => used.lastIndexOf(b) - used.lastIndexOf(a));
}
