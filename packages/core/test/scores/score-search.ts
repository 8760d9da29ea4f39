import { indexTools, rankTools } from '../../src/catalog/search-catalog.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import type { ToolMetadata } from '../../src/contract/tool-dispatcher.ts';
import { type RowScore, score, unless } from './score.ts';

export type SearchTool = { id?: string; name: string; description?: string; inputSchema?: JsonObject; server?: string };
export type SearchQuery = { id: string; query: string; relevant: string[][] };
/** Shares in percent; `ms` and `tokens` are means over the queries. */
export type SearchScore = {
  rows: RowScore[];
  hitAt1: number;
  recallAt5: number;
  recallAt10: number;
  allAt10: number;
  tokens: number;
  ms: number;
};

/** How well the first places answer; a row is met when every need has a tool among the first five. */
export function scoreSearch(
  tools: readonly SearchTool[],
  queries: readonly SearchQuery[],
  countTokens: (text: string) => number,
): SearchScore {
  const ids = new Map<ToolMetadata, string>(tools.map((tool) => [metadataOf(tool), tool.id ?? tool.name]));
  const index = indexTools([...ids.keys()]);
  const costs = new Map<ToolMetadata, number>();
  const cost = (tool: ToolMetadata) => {
    const known = costs.get(tool) ?? countTokens(definitionOf(tool));
    costs.set(tool, known);
    return known;
  };
  const sums = { hitAt1: 0, recallAt5: 0, recallAt10: 0, allAt10: 0, tokens: 0, ms: 0 };
  const rows = queries.map(({ id, query, relevant }) => {
    const started = performance.now();
    const found = rankTools(index, query, { limit: 10 });
    sums.ms += performance.now() - started;
    const names = found.map((tool) => ids.get(tool));
    const recall = (places: number) =>
      relevant.filter((accepted) => accepted.some((one) => names.slice(0, places).includes(one))).length /
      relevant.length;
    sums.hitAt1 += Number(recall(1) > 0);
    sums.recallAt5 += recall(5);
    sums.recallAt10 += recall(10);
    sums.allAt10 += Number(recall(10) === 1);
    sums.tokens += found.slice(0, 5).reduce((sum, tool) => sum + cost(tool), 0);
    return score(id, unless(recall(5) === 1, `among the first five: ${names.slice(0, 5).join(', ')}`));
  });
  const mean = (sum: number) => sum / Math.max(1, queries.length);
  return {
    rows,
    hitAt1: 100 * mean(sums.hitAt1),
    recallAt5: 100 * mean(sums.recallAt5),
    recallAt10: 100 * mean(sums.recallAt10),
    allAt10: 100 * mean(sums.allAt10),
    tokens: mean(sums.tokens),
    ms: mean(sums.ms),
  };
}

function metadataOf(tool: SearchTool): ToolMetadata {
  return {
    name: tool.name,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema ?? {},
    load: 'deferred',
    source: `mcp:${tool.server ?? ''}`,
    family: tool.server ?? '',
    baseLevel: 'required',
  };
}

function definitionOf({ name, description, inputSchema }: ToolMetadata): string {
  return JSON.stringify({ name, description, parameters: inputSchema });
}
