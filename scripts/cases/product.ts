import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadCommandParser } from '../../apps/runner/src/ports/command-parser.ts';
import { makeEnvelopeRef } from '../../apps/runner/src/store/envelope-store.ts';
import { readRows } from '../../packages/core/src/testing/read-cases.ts';
import type { OutputHost } from '../../packages/core/test/scores/score-outputs.ts';
import { inRoot } from '../bootstrap/paths.ts';
import { sweepStored } from './sweep-outputs.ts';

/** The runner's own parser: the judge sees the trees that it sees in the product. */
export const loadParser = loadCommandParser;

export const outputHost: OutputHost = {
  drawRefs: (count) => Array.from({ length: count }, () => makeEnvelopeRef()),
  sweep: sweepStored,
};

/** The tools that exist for a set of names: the registry beside it, else the one of our own set. */
export function registryBeside(path: string): ReadonlySet<string> {
  const beside = join(dirname(path), 'registry.json');
  const file = existsSync(beside) ? beside : inRoot('cases/name-repair/registry.json');
  const { tools }: { tools: string[] } = Object(readRows(file));
  return new Set(tools);
}
