import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where PATH has a program, by looking: to run it for an answer costs more than all else at the start. */
export function findProgram(name: string, path = process.env.PATH ?? '/usr/bin:/bin'): string | null {
  const places = path.split(':').filter((folder) => folder.startsWith('/'));
  return places.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    // A masked program is a device, and a folder may be entered.
    return statSync(file).isFile();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
