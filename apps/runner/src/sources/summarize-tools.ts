import { type Catalog, createSessionCatalog } from '@oneslot/core';
import type { ToolSummary } from '../services.ts';

/** About four characters a token holds for schemas in English; the page shows it as an estimate. */
const charsPerToken = 4;

/** What the tools page shows: every tool there is, broken ones with their state. */
export function summarizeTools(catalog: Catalog): ToolSummary[] {
  const all = createSessionCatalog({ catalog });
  return [...all.metadata(), ...all.deferred()].flatMap((metadata) => {
    const spec = all.find(metadata.name);
    if (!spec) return [];
    const { name, family, description, load, source } = metadata;
    return [
      {
        name,
        family,
        description,
        capabilities: [...spec.capabilities],
        level: metadata.baseLevel,
        load,
        source,
        state: spec.failClosed === undefined ? ('ready' as const) : ('unavailable' as const),
        schema: metadata.inputSchema,
        tokens: Math.ceil(JSON.stringify(metadata).length / charsPerToken),
      },
    ];
  });
}
