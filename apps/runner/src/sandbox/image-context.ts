import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { HostError } from '@oneslot/core';

export type ImageSources = {
  /** docker/sandbox.Dockerfile */
  dockerfile: string;
  /** The package folder of sandboxd: its dist holds the bundle, its dependencies the terminal library. */
  sandboxdFolder: string;
  /** Architecture of the engine, in Node's words. */
  arch: 'x64' | 'arm64';
};

export type ImageContext = {
  /** sha256 over Dockerfile and everything baked in: same digest, same box. */
  digest: string;
  tag: string;
  /** What the Dockerfile builds on. */
  baseImage: string;
  /** Lays out what the builder gets: Dockerfile and agent/, whose inside is the same for every engine. */
  writeTo(folder: string): Promise<void>;
};

const programs = ['sandboxd.mjs', 'bridge.mjs'];
const packages = (arch: string) => ['@lydell/node-pty', `@lydell/node-pty-linux-${arch}`];

/** @throws HostError unavailable when the bundle was never built */
export async function readImageContext(sources: ImageSources): Promise<ImageContext> {
  const dockerfile = await readFile(sources.dockerfile);
  const parts = await findParts(sources);
  const hash = createHash('sha256').update(dockerfile);
  for (const { from, to } of parts) hash.update(`\0${to}\0`).update(await readFile(from));
  const digest = hash.digest('hex');
  return {
    digest: `sha256:${digest}`,
    tag: `oneslot-sandbox:${digest.slice(0, 16)}`,
    baseImage: /^FROM\s+(\S+)/m.exec(dockerfile.toString('utf8'))?.[1] ?? '',
    async writeTo(folder) {
      await copyFile(sources.dockerfile, join(folder, 'Dockerfile'));
      for (const { from, to } of parts) {
        await mkdir(join(folder, dirname(to)), { recursive: true });
        await copyFile(from, join(folder, to));
      }
    },
  };
}

type Part = { from: string; to: string };

async function findParts({ sandboxdFolder, arch }: ImageSources): Promise<Part[]> {
  const parts = programs.map((name) => ({ from: join(sandboxdFolder, 'dist', name), to: `agent/${name}` }));
  const missing = parts.find(({ from }) => !existsSync(from));
  if (missing !== undefined) {
    throw new HostError('unavailable', `The bundle of the resident agent is missing: there is no ${missing.from}.`, {
      next: 'Run npm run setup, then try again.',
    });
  }
  let from = join(sandboxdFolder, 'package.json');
  for (const name of packages(arch)) {
    const folder = await packageFolder(name, from);
    // Another platform's install has no binary for the engine's: the agent then says that it has no terminals.
    if (folder === null) break;
    const files = await listFiles(folder);
    parts.push(...files.map((file) => ({ from: join(folder, file), to: `agent/node_modules/${name}/${file}` })));
    from = join(folder, 'package.json');
  }
  return parts;
}

async function packageFolder(name: string, from: string): Promise<string | null> {
  for (const root of createRequire(from).resolve.paths(name) ?? []) {
    const folder = join(root, name);
    const found = await realpath(folder).catch(() => null);
    if (found !== null) return found;
  }
  // pnpm lays a package's own dependencies beside it.
  return realpath(join(dirname(dirname(dirname(from))), name)).catch(() => null);
}

/** Relative paths in byte order. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
