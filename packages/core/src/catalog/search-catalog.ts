import type { JsonObject } from '../contract/json.ts';
import type { CatalogEntry } from '../contract/ports.ts';
import type { ToolMetadata } from '../contract/tool-dispatcher.ts';
import { isPlainObject, own } from './schema-keywords.ts';
import { weighWords, wordsOf } from './search-words.ts';
import type { CatalogSnapshot } from './snapshot-catalog.ts';

type Field = { weight: number; lengths: number[]; averageLength: number };
type Posting = { tool: number; field: number; count: number };

/** Built once for a snapshot; queries only read it. */
export type SearchIndex = {
  readonly tools: readonly ToolMetadata[];
  readonly fields: readonly Field[];
  readonly postings: ReadonlyMap<string, readonly Posting[]>;
  /** In how many tools a stem occurs. */
  readonly spread: ReadonlyMap<string, number>;
};
export type SearchOptions = { limit: number; family?: string };

/** Name, description, parameters, server or family: what a word in each is worth. */
const fieldWeights = [3, 2, 0.5, 1.5];
const saturation = 1.5;
const lengthShare = [0.4, 0.6, 0.7, 0];
const synonymWeight = 0.3;
/** A line of the index costs about twenty tokens. */
const blurbWords = 12;

export function indexCatalog(snapshot: CatalogSnapshot): SearchIndex {
  return indexTools([...snapshot.byName.values()]);
}

export function indexTools(tools: readonly ToolMetadata[]): SearchIndex {
  const fields = fieldWeights.map((weight): Field => ({ weight, lengths: [], averageLength: 1 }));
  const postings = new Map<string, Posting[]>();
  const spread = new Map<string, number>();
  tools.forEach((tool, at) => {
    const seen = new Set<string>();
    textsOf(tool).forEach((text, field) => {
      const words = wordsOf(text);
      fields[field]?.lengths.push(words.length);
      for (const [word, count] of countWords(words)) {
        const list = postings.get(word) ?? [];
        list.push({ tool: at, field, count });
        postings.set(word, list);
        seen.add(word);
      }
    });
    for (const word of seen) spread.set(word, (spread.get(word) ?? 0) + 1);
  });
  for (const field of fields)
    field.averageLength = Math.max(
      1,
      field.lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, tools.length),
    );
  return { tools, fields, postings, spread };
}

/** Ranks tools by the words of a need (field-weighted BM25), best first; empty when no word fits. */
export function searchCatalog(index: SearchIndex, query: string, options: SearchOptions): CatalogEntry[] {
  return rankTools(index, query, options).map((tool) => entryOf(tool));
}

export function rankTools(index: SearchIndex, query: string, options: SearchOptions): ToolMetadata[] {
  const scores = new Map<number, number>();
  for (const [word, weight] of weighWords(query, synonymWeight)) {
    for (const [tool, frequency] of weighFrequencies(index, word)) {
      const gain = weight * rarity(index, word) * (frequency / (saturation + frequency));
      scores.set(tool, (scores.get(tool) ?? 0) + gain);
    }
  }
  const hits = [...scores].flatMap(([at, score]) => {
    const tool = index.tools[at];
    return tool && (options.family === undefined || tool.family === options.family) ? [{ tool, score }] : [];
  });
  hits.sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1));
  return hits.slice(0, options.limit).map(({ tool }) => tool);
}

/** BM25F: occurrences of all fields are weighed and added first and saturate together. */
function weighFrequencies(index: SearchIndex, word: string): Map<number, number> {
  const frequencies = new Map<number, number>();
  for (const { tool, field, count } of index.postings.get(word) ?? []) {
    const { weight, lengths, averageLength } = index.fields[field] ?? { weight: 0, lengths: [], averageLength: 1 };
    const share = lengthShare[field] ?? 0;
    const norm = 1 - share + share * ((lengths[tool] ?? 0) / averageLength);
    frequencies.set(tool, (frequencies.get(tool) ?? 0) + (weight * count) / norm);
  }
  return frequencies;
}

function rarity(index: SearchIndex, word: string): number {
  const spread = index.spread.get(word) ?? 0;
  return Math.log(1 + (index.tools.length - spread + 0.5) / (spread + 0.5));
}

function textsOf(tool: ToolMetadata): string[] {
  return [
    tool.name.replace(/^mcp__.*?__/, ''),
    tool.description,
    parametersOf(tool.inputSchema),
    `${tool.family} ${tool.source.replace(/^[a-z]+:/, '')}`,
  ];
}

function parametersOf(schema: JsonObject): string {
  const properties = own(schema, 'properties');
  if (!isPlainObject(properties)) return '';
  const words = Object.entries(properties).map(([name, property]) => {
    const description = isPlainObject(property) ? own(property, 'description') : undefined;
    return `${name} ${typeof description === 'string' ? description : ''}`;
  });
  return words.join(' ');
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** One line for the model: name, start of the first sentence, required parameters. */
export function entryOf(tool: ToolMetadata): CatalogEntry {
  const required = own(tool.inputSchema, 'required');
  return {
    name: tool.name,
    family: tool.family,
    blurb: blurbOf(tool.description),
    requiredParameters: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
    resident: tool.load === 'resident',
  };
}

function blurbOf(description: string): string {
  const sentence = description.trim().split(/(?<=[.!?])\s|\n/)[0] ?? '';
  const words = sentence.split(/\s+/);
  return words.length > blurbWords ? `${words.slice(0, blurbWords).join(' ')} …` : sentence;
}
