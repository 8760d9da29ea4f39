import { createHash, type Hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { cacheDir, root } from './paths.ts';

const outputs = new Set(['node_modules', '.next', 'dist', 'generated', '.turbo', '.cache']);
const notBuilt = /\.(test|cases)\.|\.tsbuildinfo$|^next-env\.d\.ts$|^README\.md$/;

/** One hash over names and bytes of all files below the given paths; build outputs and tests do not count. */
export function hashInputs(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) addPath(hash, path);
  return hash.digest('hex');
}

function addPath(hash: Hash, path: string): void {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
    return;
  }
  for (const name of readdirSync(path).sort())
    if (!outputs.has(name) && !notBuilt.test(name)) addPath(hash, join(path, name));
}

const stampFile = (step: string): string => join(cacheDir, 'stamps', step);

export function isStamped(step: string, hash: string): boolean {
  const file = stampFile(step);
  return existsSync(file) && readFileSync(file, 'utf8') === hash;
}

export function writeStamp(step: string, hash: string): void {
  mkdirSync(dirname(stampFile(step)), { recursive: true });
  writeFileSync(stampFile(step), hash);
}

/** Before a step runs: a run that is killed halfway must not look finished. */
export function removeStamp(step: string): void {
  rmSync(stampFile(step), { force: true });
}
