import { parseArgs } from 'node:util';
import { type SetScore, total } from '../../packages/core/test/scores/score.ts';
import { inRoot } from '../bootstrap/paths.ts';
import { type CaseFile, readCaseFiles } from './read-case-files.ts';
import { runToolSearch } from './tool-search.ts';
import type { Format, Topic } from './topic.ts';
import { laterTopics, topics } from './topics.ts';
import { UsageError } from './usage-error.ts';

type Print = (line: string) => void;

/** Scores one topic and says how each failing row failed. 0: its bar is met, 1: it is not, 2: asked wrongly. */
export async function runCases(args: readonly string[], print: Print = console.log): Promise<number> {
  try {
    const { topic, file } = readArguments(args);
    if (topic === 'tool-search') return (await runToolSearch(file, print)) ? 0 : 1;
    return (await runTopic(topic, file, print)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(`✗ ${error.message}`);
    print('Usage: npm run cases -- <topic> [--file <path>]');
    print(`Topics: ${[...Object.keys(topics), 'tool-search'].join(', ')}`);
    return 2;
  }
}

function readArguments(args: readonly string[]): { topic: string; file: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      // pnpm hands on the mark that npm takes for itself.
      args: args[0] === '--' ? args.slice(1) : [...args],
      allowPositionals: true,
      options: { file: { type: 'string' } },
    });
    const [topic, ...rest] = positionals;
    if (topic === undefined) throw new UsageError('Which topic?');
    if (rest.length > 0) throw new UsageError(`One topic at a time; what is ${rest.join(' ')}?`);
    return { topic, file: values.file };
  } catch (cause) {
    if (cause instanceof TypeError) throw new UsageError(cause.message);
    throw cause;
  }
}

async function runTopic(name: string, file: string | undefined, print: Print): Promise<boolean> {
  const topic = Object.hasOwn(topics, name) ? topics[name] : undefined;
  if (!topic && laterTopics.has(name)) throw new UsageError(`${name} is not built yet, so there is nothing to score.`);
  if (!topic) throw new UsageError(`There is no topic ${JSON.stringify(name)}.`);
  const files = readCaseFiles(file ?? inRoot('cases', topic.file));
  const scores: SetScore[] = [];
  for (const one of files) scores.push(await formatOf(name, topic, one).score(one.rows, one.path));
  return report(name, scores, print);
}

function formatOf(name: string, topic: Topic, { path, rows }: CaseFile): Format {
  const fits = (format: Format) => rows.every((row) => format.keys.every((key) => Object.hasOwn(row, key)));
  const found = topic.formats.find(fits);
  if (found) return found;
  const known = topic.formats.map((format) => `{${format.keys.join(', ')}}`).join(' or ');
  throw new UsageError(`The rows of ${path} are not those of ${name}, which have ${known}.`);
}

function report(name: string, scores: readonly SetScore[], print: Print): boolean {
  const rows = scores.flatMap((score) => score.rows);
  for (const row of rows) {
    const marks = [row.forbidden ? 'forbidden' : '', row.wrong ? 'wrong' : ''].filter(Boolean).join(', ');
    if (row.failure !== null) print(`✗ ${row.id}${marks === '' ? '' : ` [${marks}]`}: ${row.failure}`);
  }
  for (const line of scores.flatMap((score) => score.figures)) print(`${name}: ${line}`);
  const { passed, of, wrong, forbidden } = total(rows);
  print(`${name}: passed ${passed} of ${of}, wrong ${wrong}, forbidden ${forbidden}`);
  return scores.every((score) => score.meetsBar) && forbidden === 0;
}
