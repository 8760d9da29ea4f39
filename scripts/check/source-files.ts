import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const skipped = new Set([
  'node_modules',
  '.git',
  '.next',
  'dist',
  'generated',
  'coverage',
  'test-results',
  'playwright-report',
]);

/** All files below `root` with one of the endings, as `/`-separated relative paths in byte order; outputs and hidden folders left out. */
export function listFiles(root: string, endings: RegExp): string[] {
  const found: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name) && (!entry.name.startsWith('.') || entry.name === '.ci')) visit(path);
      } else if (entry.isFile() && endings.test(entry.name)) found.push(path);
    }
  };
  visit('');
  return found.sort();
}

export const isTest = (path: string): boolean =>
  /\.test\.tsx?$/.test(path) || path.startsWith('e2e/') || /^[^/]+\/[^/]+\/test\//.test(path);
