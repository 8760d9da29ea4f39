import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { countTokens } from '../../apps/runner/test/lib/count-tokens.ts';
import { readRows, sharedPath } from '../../packages/core/src/testing/read-cases.ts';
import { type SearchQuery, type SearchTool, scoreSearch } from '../../packages/core/test/scores/score-search.ts';
import { UsageError } from './usage-error.ts';

/** Least recall among the first five, by query file. Source: spec of the slot, section 5. */
const bars: Readonly<Record<string, number>> = {
  'mcpreal.queries': 70,
  'metatool.queries': 80,
  'sealtools.queries': 88,
  'livemcp.steps': 74,
};

/** One line a set; without a file every set of the collection. True when every bar is met. */
export async function runToolSearch(file: string | undefined, print: (line: string) => void): Promise<boolean> {
  const count = await countTokens();
  const files = file === undefined ? Object.keys(bars).map((set) => sharedPath(`tool-search/${set}.jsonl`)) : [file];
  let meetsBars = true;
  for (const path of files.map((one) => resolve(one))) {
    const name = basename(path, '.jsonl');
    const { hitAt1, recallAt5, recallAt10, tokens, ms, rows } = scoreSearch(toolsFor(path), read(path), count);
    const bar = bars[name] ?? 0;
    if (file !== undefined) for (const row of rows) if (row.failure !== null) print(`✗ ${row.id}: ${row.failure}`);
    if (recallAt5 < bar) print(`tool-search ${name}: recall@5 is below its bar of ${bar}`);
    print(
      `tool-search ${name.replace(/\.queries$/, '')}: hit@1 ${hitAt1.toFixed(1)} recall@5 ${recallAt5.toFixed(1)} ` +
        `recall@10 ${recallAt10.toFixed(1)} tokens ${tokens.toFixed(0)} ms ${ms.toFixed(1)}`,
    );
    meetsBars &&= recallAt5 >= bar;
  }
  return meetsBars;
}

function read(path: string): SearchQuery[] {
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}.`);
  return readRows(path);
}

/** The catalogue of a set lies beside its queries, else in the collection. */
function toolsFor(path: string): SearchTool[] {
  const tools = `${basename(path).split('.')[0]}.tools.jsonl`;
  const beside = join(dirname(path), tools);
  const file = existsSync(beside) ? beside : sharedPath(`tool-search/${tools}`);
  if (!existsSync(file)) throw new UsageError(`The tools for ${path} are neither beside it nor at ${file}.`);
  return readRows(file);
}
