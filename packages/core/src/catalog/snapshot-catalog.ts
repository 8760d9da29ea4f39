import type { Level } from '../contract/ports.ts';
import type { ToolMetadata } from '../contract/tool-dispatcher.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';
import type { Catalog } from './register-tools.ts';

/** Frozen for a session: the same catalog always gives the same bytes. */
export type CatalogSnapshot = {
  /** Sent from the first request on, sorted by name. */
  readonly resident: readonly ToolMetadata[];
  /** Named in the index and found by tool_search, sorted by name. */
  readonly deferred: readonly ToolMetadata[];
  readonly byName: ReadonlyMap<string, ToolMetadata>;
  /** Metadata by name, serialized once; the hash of a tool's version is taken over these bytes. */
  readonly serialized: ReadonlyMap<string, string>;
};

export type SnapshotOptions = {
  levelOf(spec: ToolSpec): Level;
  /** Tools a policy denies are not listed at all. */
  denied?: ReadonlySet<string>;
};

export function snapshotCatalog(catalog: Catalog, options: SnapshotOptions): CatalogSnapshot {
  const all: ToolMetadata[] = [];
  for (const spec of catalog.specs.values()) {
    if (options.denied?.has(spec.name)) continue;
    all.push({
      name: spec.name,
      description: spec.description,
      inputSchema: spec.inputSchema,
      load: spec.load,
      source: spec.source,
      family: spec.family,
      baseLevel: options.levelOf(spec),
    });
  }
  return {
    resident: all.filter((tool) => tool.load === 'resident'),
    deferred: all.filter((tool) => tool.load === 'deferred'),
    byName: new Map(all.map((tool) => [tool.name, tool])),
    serialized: new Map(all.map((tool) => [tool.name, JSON.stringify(tool)])),
  };
}
