import type { ToolSource, ToolSpec } from '../contract/tool-spec.ts';
import { failClosedTool } from './fail-closed-tool.ts';
import type { LoadFailure } from './load-tools.ts';
import { readDefinition } from './read-definition.ts';
import { sanitizeSchema } from './sanitize-schema.ts';

/** What is wrong with a definition: refused newcomers have no `registeredAs`, fail-closed ones do. */
export type CatalogProblem = { name: string; source: ToolSource; reason: string; registeredAs: string | null };

/** Every tool there is, by name; iteration is sorted by name. Immutable: a change is a new catalog at the next turn. */
export type Catalog = {
  readonly specs: ReadonlyMap<string, ToolSpec>;
  readonly names: ReadonlySet<string>;
  readonly problems: readonly CatalogProblem[];
  /** What the sanitizer changed beyond form, by tool; for the tools page. */
  readonly reports: ReadonlyMap<string, readonly string[]>;
};

type Broken = { name: string; source: ToolSource; reason: string };
const longestName = 64;

/**
 * Checks definitions: a broken one fails closed under a name of its own, a second one of a name is refused, and
 * no other tool suffers. Built-ins come first, so nothing can take their place.
 */
export function registerTools(specs: readonly ToolSpec[], failures: readonly LoadFailure[] = []): Catalog {
  const registration = new Registration();
  const foreign = (source: ToolSource) => Number(source !== 'builtin');
  for (const failure of [...failures].sort((a, b) => foreign(a.source) - foreign(b.source))) registration.fail(failure);
  const ordered = specs.map((spec) => ({ spec, source: sourceOf(spec) }));
  ordered.sort((a, b) => foreign(a.source) - foreign(b.source));
  for (const { spec, source } of ordered) registration.add(spec, source);
  return registration.finish();
}

class Registration {
  private readonly byName = new Map<string, ToolSpec>();
  private readonly problems: CatalogProblem[] = [];
  private readonly reports = new Map<string, readonly string[]>();
  /** Wait until every sound tool has its name. */
  private readonly displaced: Broken[] = [];

  add(spec: ToolSpec, source: ToolSource) {
    const definition = readDefinition(spec);
    if (definition.kind === 'broken') return this.fail({ name: definition.name, source, reason: definition.reason });
    const { name, inputSchema } = definition.spec;
    if (this.byName.has(name)) {
      const reason = 'another tool has this name already; the newcomer is refused';
      this.problems.push({ name, source, reason, registeredAs: null });
      return;
    }
    const { schema, reports } = sanitizeSchema(inputSchema);
    this.byName.set(name, { ...definition.spec, inputSchema: schema });
    if (reports.length > 0) this.reports.set(name, reports);
  }

  /** A broken tool keeps its own good name at once, so that no later tool can pose as it. */
  fail(broken: Broken) {
    if (broken.name !== standInName(broken.name) || this.byName.has(broken.name)) this.displaced.push(broken);
    else this.stand(broken, broken.name);
  }

  finish(): Catalog {
    for (const broken of this.displaced) this.stand(broken, this.freeName(standInName(broken.name)));
    const sorted = new Map([...this.byName].sort(([a], [b]) => (a < b ? -1 : 1)));
    return { specs: sorted, names: new Set(sorted.keys()), problems: this.problems, reports: this.reports };
  }

  private stand({ name, source, reason }: Broken, registeredAs: string) {
    this.byName.set(registeredAs, failClosedTool(registeredAs, source, reason));
    this.problems.push({ name, source, reason, registeredAs });
  }

  private freeName(wanted: string): string {
    for (let count = 1; ; count += 1) {
      const suffix = count === 1 ? '' : `_${count}`;
      const name = wanted.slice(0, longestName - suffix.length) + suffix;
      if (!this.byName.has(name)) return name;
    }
  }
}

function standInName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/gu, '_').slice(0, longestName) || 'fail_closed_tool';
}

/** A source that cannot be read is foreign: only a built-in is trusted to be first. */
function sourceOf(spec: ToolSpec): ToolSource {
  try {
    return spec.source;
  } catch {
    return 'extension:unknown';
  }
}
