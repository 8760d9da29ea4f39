import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readRows } from '../../packages/core/src/testing/read-cases.ts';
import type { Row } from './topic.ts';
import { UsageError } from './usage-error.ts';

export type CaseFile = { path: string; rows: readonly Row[] };

/** A file, or every JSON file of a folder one after another. @throws UsageError where there is nothing to score. */
export function readCaseFiles(path: string): CaseFile[] {
  const full = resolve(path);
  if (!existsSync(full)) throw new UsageError(`There is no file ${full}.`);
  const files = statSync(full).isDirectory() ? filesOf(full) : [full];
  if (files.length === 0) throw new UsageError(`${full} holds no .json or .jsonl file.`);
  return files.map((file) => ({ path: file, rows: rowsOf(file) }));
}

function filesOf(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /\.jsonl?$/.test(name));
  return names.sort().map((name) => join(folder, name));
}

function rowsOf(path: string): Row[] {
  const rows = [parse(path)].flat().filter((row) => typeof row === 'object' && row !== null);
  if (rows.length === 0) throw new UsageError(`${path} holds no rows.`);
  return rows.map((row) => Object(row));
}

function parse(path: string): unknown {
  try {
    return readRows<unknown>(path);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new UsageError(`${path} is neither JSON nor JSON Lines: ${cause.message}`);
    throw cause;
  }
}
