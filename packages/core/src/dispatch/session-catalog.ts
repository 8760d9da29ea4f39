import { createHash } from 'node:crypto';
import { baseLevel } from '../approval/require-approval.ts';
import { activateTools, activeMetadata } from '../catalog/activate-tools.ts';
import { projectSchema, restoreNames } from '../catalog/project-schema.ts';
import type { Catalog } from '../catalog/register-tools.ts';
import { entryOf, indexCatalog, searchCatalog } from '../catalog/search-catalog.ts';
import { snapshotCatalog } from '../catalog/snapshot-catalog.ts';
import type { Dialect } from '../contract/dialect.ts';
import type { JsonObject } from '../contract/json.ts';
import type { CatalogPort } from '../contract/ports.ts';
import type { ToolMetadata } from '../contract/tool-dispatcher.ts';
import type { ToolSpec } from '../contract/tool-spec.ts';
import { suggestNames } from '../repair/suggest-names.ts';

/** The catalog as one session sees it: frozen at its first request, growing only by activations at the end. */
export type SessionCatalog = {
  find(name: string): ToolSpec | null;
  /** Every name that may be called, deferred ones included. */
  readonly names: ReadonlySet<string>;
  /** First 16 hex digits of SHA-256 over the serialized metadata. */
  version(name: string): string;
  /** Resident tools sorted by name, then activated ones in activation order. */
  metadata(): readonly ToolMetadata[];
  /** Deferred tools not yet activated, sorted by name: what the index of the system message lists. */
  deferred(): readonly ToolMetadata[];
  active(): readonly string[];
  /** Appends behind the prefix from the next step on; active and resident names are skipped. */
  activate(names: readonly string[]): void;
  /** Only at an announced compaction: of the activated tools these stay, in the order they have. */
  keepActive(names: readonly string[]): void;
  /** An input whose properties had to be renamed for the model's dialect, under the tool's own names again. */
  restoreInput(name: string, dialect: Dialect, input: JsonObject): JsonObject;
  /** What `tool_search` asks. */
  readonly port: CatalogPort;
};

export type SessionCatalogOptions = {
  catalog: Catalog;
  /** Tools a policy denies outright: neither listed nor callable. */
  denied?: ReadonlySet<string>;
  /** Activated earlier in this session, in that order. */
  active?: readonly string[];
  onActivated?(names: readonly string[]): void;
};

/** More than this some providers refuse with the whole request. Source: OpenAI's limit of functions, autumn 2026. */
const mostTools = 128;

export function createSessionCatalog(options: SessionCatalogOptions): SessionCatalog {
  const snapshot = snapshotCatalog(options.catalog, {
    levelOf: (spec) => baseLevel({ ...spec, builtin: spec.source === 'builtin' }),
    ...(options.denied ? { denied: options.denied } : {}),
  });
  const index = indexCatalog(snapshot);
  let active = activateTools(snapshot, [], options.active ?? []);
  const renamed = new Map<string, ReadonlyMap<string, string>>();
  const activate = (names: readonly string[]) => {
    const next = activateTools(snapshot, active, names).slice(0, Math.max(0, mostTools - snapshot.resident.length));
    const added = next.slice(active.length);
    active = next;
    if (added.length > 0) options.onActivated?.(added);
  };
  return {
    find: (name) => (snapshot.byName.has(name) ? (options.catalog.specs.get(name) ?? null) : null),
    names: new Set(snapshot.byName.keys()),
    version: (name) =>
      createHash('sha256')
        .update(snapshot.serialized.get(name) ?? '')
        .digest('hex')
        .slice(0, 16),
    metadata: () => activeMetadata(snapshot, active),
    deferred: () => snapshot.deferred.filter((tool) => !active.includes(tool.name)),
    active: () => active,
    activate,
    keepActive(names) {
      active = active.filter((name) => names.includes(name));
    },
    restoreInput(name, dialect, input) {
      const tool = snapshot.byName.get(name);
      if (!tool) return input;
      const key = `${dialect} ${name}`;
      const names = renamed.get(key) ?? projectSchema(tool.inputSchema, dialect).names;
      renamed.set(key, names);
      return restoreNames(input, names);
    },
    port: {
      search: (query, limits) => searchCatalog(index, query, limits),
      select: (names) => selectEntries(snapshot.byName, names),
      families: () => countFamilies([...snapshot.byName.values()]),
      activate,
    },
  };
}

function selectEntries(
  byName: ReadonlyMap<string, ToolMetadata>,
  names: readonly string[],
): ReturnType<CatalogPort['select']> {
  const found = names.flatMap((name) => byName.get(name) ?? []).map(entryOf);
  const missing = names.filter((name) => !byName.has(name));
  return { found, missing: missing.map((name) => ({ name, nearest: suggestNames(name, byName.keys()) })) };
}

function countFamilies(tools: readonly ToolMetadata[]): { family: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { family } of tools) counts.set(family, (counts.get(family) ?? 0) + 1);
  return [...counts].map(([family, count]) => ({ family, count })).sort((a, b) => (a.family < b.family ? -1 : 1));
}
