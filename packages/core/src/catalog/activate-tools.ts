import type { ToolMetadata } from '../contract/tool-dispatcher.ts';
import type { CatalogSnapshot } from './snapshot-catalog.ts';

/** Appends deferred tools in activation order; what is there never moves. Unknown and resident names are skipped. */
export function activateTools(
  snapshot: CatalogSnapshot,
  active: readonly string[],
  names: readonly string[],
): string[] {
  const next = [...active];
  for (const name of names) {
    const tool = snapshot.byName.get(name);
    if (tool?.load === 'deferred' && !next.includes(name)) next.push(name);
  }
  return next;
}

/** What a request carries: residents first, then the activated ones. */
export function activeMetadata(snapshot: CatalogSnapshot, active: readonly string[]): ToolMetadata[] {
  const activated = active.flatMap((name) => snapshot.byName.get(name) ?? []);
  return [...snapshot.resident, ...activated];
}
