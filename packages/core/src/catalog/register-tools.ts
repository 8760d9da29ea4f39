import type { ToolSource, ToolSpec } from '../contract/tool-spec.ts';
import { failClosedTool } from './fail-closed-tool.ts';
import type { LoadFailure } from './load-tools.ts';

/** What went wrong with a definition: refused newcomers have no `registeredAs`, fail-closed ones do. */
export type CatalogProblem = { name: string; source: ToolSource; reason: string; registeredAs: string | null };

/** Every tool there is, by name; iteration is sorted by name. Immutable: a change is a new catalog at the next turn. */
export type Catalog = {
  readonly specs: ReadonlyMap<string, ToolSpec>;
  readonly names: ReadonlySet<string>;
  readonly problems: readonly CatalogProblem[];
};

/** Checks definitions; a broken one fails closed, a second one of a name is refused, and no other tool suffers. */
export function registerTools(specs: readonly ToolSpec[], failures: readonly LoadFailure[] = []): Catalog {
  const byName = new Map<string, ToolSpec>();
  const problems: CatalogProblem[] = [];
  for (const spec of specs) {
    if (byName.has(spec.name))
      problems.push({ name: spec.name, source: spec.source, reason: 'duplicate name', registeredAs: null });
    else byName.set(spec.name, spec);
  }
  for (const failure of failures)
    byName.set(failure.name, failClosedTool(failure.name, failure.source, failure.reason));
  const sorted = new Map([...byName].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { specs: sorted, names: new Set(sorted.keys()), problems };
}
