import { describe, expect, it, test } from 'vitest';
import { type SearchQuery, type SearchTool, scoreSearch } from '../../test/scores/score-search.ts';
import type { ToolMetadata } from '../contract/tool-dispatcher.ts';
import { sharedCases } from '../testing/read-cases.ts';
import { entryOf, indexTools, searchCatalog } from './search-catalog.ts';
import { wordsOf } from './search-words.ts';
import { stemWord } from './stem-word.ts';

function tool(name: string, description: string, changes: Partial<ToolMetadata> = {}): ToolMetadata {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties: {} },
    load: 'deferred',
    source: 'builtin',
    family: 'files',
    baseLevel: 'auto',
    ...changes,
  };
}

const tools = [
  tool('browser_capture', 'Saves an image of the current page. Returns its path.', { family: 'web' }),
  tool('convert_document', 'Converts a document between formats.', {
    inputSchema: { type: 'object', properties: { source: { type: 'string' } }, required: ['source'] },
  }),
  tool('git_commit', 'Records staged changes in the repository.', { family: 'git' }),
  tool('run_tests', 'Runs the test suite and reports failures.', { family: 'code' }),
];

describe('searchCatalog', () => {
  const index = indexTools(tools);
  const names = (query: string, family?: string) =>
    searchCatalog(index, query, { limit: 3, ...(family ? { family } : {}) }).map(({ name }) => name);

  it.each([
    ['take a screenshot of the page', 'browser_capture'],
    ['converting documents', 'convert_document'],
    ['commit my changes', 'git_commit'],
    ['execute tests', 'run_tests'],
  ])('%s', (query, expected) => {
    expect(names(query)[0]).toBe(expected);
  });

  it('answers nothing where nothing fits, and keeps to a family', () => {
    expect(names('zebra')).toEqual([]);
    expect(names('page test document', 'web')).toEqual(['browser_capture']);
  });
});

test('entries are one short line', () => {
  expect(entryOf(tools[1] ?? tool('x', ''))).toEqual({
    name: 'convert_document',
    family: 'files',
    blurb: 'Converts a document between formats.',
    requiredParameters: ['source'],
    resident: false,
  });
  expect(entryOf(tool('x', 'word '.repeat(30))).blurb.split(' ')).toHaveLength(13);
});

describe('words', () => {
  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['cats', 'cat'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['conflated', 'conflat'],
    ['hopping', 'hop'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['relational', 'relat'],
    ['conditional', 'condit'],
    ['digitizer', 'digit'],
    ['triplicate', 'triplic'],
    ['hopefulness', 'hope'],
    ['adoption', 'adopt'],
    ['rate', 'rate'],
    ['controlling', 'control'],
    ['sky', 'sky'],
  ])('%s has the stem %s', (word, stem) => {
    expect(stemWord(word)).toBe(stem);
  });

  it('are split at case and separators, without stop words', () => {
    expect(wordsOf('getHTTPResponse of the user_files')).toEqual(['get', 'http', 'respons', 'user', 'file']);
  });
});

/** A little below what was measured, so that a change for the worse is seen. */
const floors = [
  ['mcpreal', 'mcpreal.queries.jsonl', 68],
  ['livemcp', 'livemcp.steps.jsonl', 68],
  ['metatool', 'metatool.queries.jsonl', 73],
] as const;

describe.each(floors)('%s', (set, file, floor) => {
  const rows = sharedCases<SearchTool>(`tool-search/${set}.tools.jsonl`);
  const queries = sharedCases<SearchQuery>(`tool-search/${file}`);
  test.runIf(rows && queries)('recall in the first five', () => {
    const { recallAt5 } = scoreSearch(rows ?? [], queries ?? [], () => 0);
    process.stdout.write(`${set}: recall@5 ${recallAt5.toFixed(1)}\n`);
    expect(recallAt5).toBeGreaterThan(floor);
  });
});
