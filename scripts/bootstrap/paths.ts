import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
/** Stamps, compile cache and logs of the scripts; git-ignored, safe to delete. */
export const cacheDir = join(root, '.cache');
/** Compiled code of programs that are started again and again. */
export const compileCache = join(cacheDir, 'compile');
export const pnpmVersion = '11.28.11';

export function inRoot(...parts: string[]): string {
  return join(root, ...parts);
}
