import { type CatalogEntry, type CatalogPort, defineTool, ToolError } from '@oneslot/core';
import { z } from 'zod';

const activatedAtOnce = 5;

export default defineTool({
  name: 'tool_search',
  family: 'discovery',
  description:
    'Finds tools that are not loaded yet. query takes words ("take a screenshot") or "select:name,name" for known names; ' +
    'need takes a sentence that says which capability is wanted. The best hits (at most 5) can be called from the next ' +
    'step on. Returns one line per tool with its required parameters.',
  capabilities: ['read_only'],
  uses: ['catalog'],
  parallel: true,
  load: 'resident',
  timeoutMs: 3_000,
  input: z.strictObject({
    query: z.string().min(1).max(200).optional().describe('Words, or select:name,name'),
    need: z.string().min(1).max(500).optional().describe('The capability wanted, as a sentence'),
    limit: z.int().min(1).max(20).default(8).describe('Most tools to return'),
    family: z.string().min(1).max(60).optional().describe('Only this family'),
  }),
  validate: ({ query, need }) => {
    if ((query === undefined) !== (need === undefined)) return;
    throw new ToolError('invalid_input', 'Give exactly one of query and need.', {
      next: 'Call tool_search with {"query": "take a screenshot"}.',
    });
  },
  title: ({ query, need }) => `find tools: ${(query ?? need ?? '').slice(0, 80)}`,
  execute: async ({ query, need, limit, family }, { catalog }) => {
    if (query?.startsWith('select:')) return select(catalog, query.slice('select:'.length));
    const hits = catalog.search(query ?? need ?? '', { limit, ...(family === undefined ? {} : { family }) });
    if (hits.length === 0) return { content: nothing(catalog, need !== undefined), data: { hits: [] } };
    return activate(catalog, hits);
  },
});

function select(catalog: CatalogPort, list: string) {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const { found, missing } = catalog.select(names);
  const first = missing[0];
  if (first) {
    throw new ToolError('not_found', `There is no tool ${first.name}.`, {
      next: first.nearest.length > 0 ? `Did you mean: ${first.nearest.join(', ')}?` : 'Search by words instead.',
    });
  }
  return activate(catalog, found);
}

function activate(catalog: CatalogPort, hits: readonly CatalogEntry[]) {
  const deferred = hits.filter((hit) => !hit.resident).slice(0, activatedAtOnce);
  catalog.activate(deferred.map((hit) => hit.name));
  const lines = hits.map((hit) => `${hit.name}(${hit.requiredParameters.join(', ')}): ${hit.blurb}`);
  const active =
    deferred.length === 0
      ? 'all of these are loaded already'
      : `callable from the next step: ${deferred.map((hit) => hit.name).join(', ')}`;
  return { content: [...lines, active].join('\n'), data: { hits, activated: deferred.map((hit) => hit.name) } };
}

function nothing(catalog: CatalogPort, asNeed: boolean): string {
  const families = catalog
    .families()
    .map(({ family, count }) => `${family} ${count}`)
    .join(', ');
  return `${asNeed ? 'nothing fits this need' : 'no tool matches'}. Families: ${families}.`;
}
