import type { CatalogEntry } from '../contract/ports.ts';
import type { ToolMetadata } from '../contract/tool-dispatcher.ts';
import type { CatalogSnapshot } from './snapshot-catalog.ts';

/** Built once for a snapshot; queries read it only. */
export type SearchIndex = { readonly tools: readonly ToolMetadata[] };
export type SearchOptions = { limit: number; family?: string };

export function indexCatalog(snapshot: CatalogSnapshot): SearchIndex {
  return { tools: [...snapshot.byName.values()] };
}

/** Ranks tools by the words of a need, best first; empty when nothing fits. */
export function searchCatalog(index: SearchIndex, query: string, options: SearchOptions): CatalogEntry[] {
  const words = query
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word !== '');
  return index.tools
    .filter((tool) => options.family === undefined || tool.family === options.family)
    .map((tool) => ({
      tool,
      score: words.filter((word) => `${tool.name} ${tool.description}`.toLowerCase().includes(word)).length,
    }))
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, options.limit)
    .map((hit) => entryOf(hit.tool));
}

/** One line for the model: name, first sentence, required parameters. */
export function entryOf(tool: ToolMetadata): CatalogEntry {
  const required = tool.inputSchema.required;
  return {
    name: tool.name,
    family: tool.family,
    blurb: tool.description.split(/(?<=\.)\s/)[0] ?? '',
    requiredParameters: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
    resident: tool.load === 'resident',
  };
}
