import { readdir } from 'node:fs/promises';
import type { ToolListing } from '@oneslot/core';
import { toolFolder } from '@oneslot/tools';

const toolFile = /^([a-z][a-z0-9-]*)\.ts$/;

/** The folder is the registry. */
export async function listBuiltinTools(root: URL = toolFolder): Promise<ToolListing[]> {
  const families = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const listings = await Promise.all(families.map((family) => listFamily(new URL(`${family.name}/`, root))));
  return listings.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function listFamily(folder: URL): Promise<ToolListing[]> {
  const files = await readdir(folder, { withFileTypes: true });
  return files.flatMap((file) => {
    const stem = file.isFile() ? toolFile.exec(file.name)?.[1] : undefined;
    if (stem === undefined) return [];
    return [{ name: stem.replaceAll('-', '_'), load: () => import(new URL(file.name, folder).href) }];
  });
}
