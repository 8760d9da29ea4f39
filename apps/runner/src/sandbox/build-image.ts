import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HostError } from '@oneslot/core';
import type Docker from 'dockerode';
import { z } from 'zod';
import { messageOf, statusOf } from './docker-host.ts';
import type { ImageContext } from './image-context.ts';

export type BuildOptions = {
  docker: Docker;
  context: ImageContext;
  labels: Record<string, string>;
  onPhase(detail: string): void;
  /** Longest silence of a registry before it counts as out of reach. */
  registryLimitMs?: number;
  /** Longest silence of the builder. */
  silenceLimitMs?: number;
};

/** The id of the image of `context`, made unless it is there. @throws HostError unavailable, with the remedy in `next` */
export async function buildImage(options: BuildOptions): Promise<string> {
  const { docker, context } = options;
  const present = await findImage(docker, context.tag);
  if (present !== null) return present;
  await ensureBase(options);
  const folder = await mkdtemp(join(tmpdir(), 'oneslot-image-'));
  try {
    await context.writeTo(folder);
    await runBuild(options, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const built = await findImage(docker, context.tag);
  if (built === null) throw buildFailure('the builder reported no error and left no image', []);
  return built;
}

/** The id behind a name; null when the engine has no such image. */
export async function findImage(docker: Docker, name: string): Promise<string | null> {
  try {
    return (await docker.getImage(name).inspect()).Id;
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw engineGone(error);
  }
}

/** The first of four failures people meet: nothing answers at all. */
export function engineGone(cause: unknown): HostError {
  return new HostError('unavailable', `The Docker engine does not answer: ${messageOf(cause)}.`, {
    next: 'Start Docker and try again, or start Oneslot with --engine simulated.',
    cause,
  });
}

async function ensureBase({ docker, context, onPhase, registryLimitMs = 15_000 }: BuildOptions): Promise<void> {
  if ((await findImage(docker, context.baseImage)) !== null) return;
  onPhase(`Fetching the base image ${context.baseImage}`);
  const abort = new AbortController();
  const { name: fromImage, tag } = splitName(context.baseImage);
  try {
    const stream = await withLimit(docker.createImage({ fromImage, tag, abortSignal: abort.signal }), registryLimitMs);
    for await (const item of progressOf(stream, registryLimitMs)) {
      if (item.error !== undefined) throw new Error(item.error);
      if (item.status !== undefined) onPhase(`Fetching the base image: ${item.status}`);
    }
  } catch (cause) {
    abort.abort();
    const message = `The base image ${context.baseImage} is not on this machine and no registry gave it: ${messageOf(cause)}.`;
    throw new HostError('unavailable', message, {
      next: 'Run docker/seed-base-images.sh as root, or let the engine reach an image registry; then try again.',
      cause,
    });
  }
}

/** A registry's port is no tag: only a colon behind the last slash begins one. */
function splitName(image: string): { name: string; tag: string } {
  const colon = image.lastIndexOf(':');
  if (colon <= image.lastIndexOf('/')) return { name: image, tag: 'latest' };
  return { name: image.slice(0, colon), tag: image.slice(colon + 1) };
}

async function runBuild(options: BuildOptions, folder: string): Promise<void> {
  const { docker, context, labels, onPhase, silenceLimitMs = 180_000 } = options;
  onPhase('Building the sandbox image');
  const said: string[] = [];
  try {
    // The host's network: a build on the engine's own bridge has no DNS in many set-ups.
    const stream = await docker.buildImage(
      { context: folder, src: ['Dockerfile', 'agent'] },
      { t: context.tag, labels, networkmode: 'host', rm: true, forcerm: true, version: '1' },
    );
    for await (const item of progressOf(stream, silenceLimitMs)) {
      // An error is an item of the stream like any other; nothing throws by itself.
      if (item.error !== undefined) throw new Error(item.error);
      const text = item.stream?.trim() ?? '';
      if (text === '') continue;
      said.push(text);
      if (text.startsWith('Step ')) onPhase(`Building the sandbox image: ${text.split('\n')[0]?.slice(0, 120)}`);
    }
  } catch (cause) {
    throw buildFailure(messageOf(cause), said, cause);
  }
}

function buildFailure(reason: string, said: readonly string[], cause?: unknown): HostError {
  const step = said.findLast((line) => line.startsWith('Step '))?.split('\n')[0];
  const end = said.slice(-5).join('\n').slice(-1_000);
  const where = step === undefined ? '' : ` at "${step}"`;
  return new HostError(
    'unavailable',
    `Building the sandbox image failed${where}: ${reason}.${end === '' ? '' : `\n${end}`}`,
    {
      next: 'Read the lines above; most often a package mirror is out of reach. Then try again.',
      cause,
    },
  );
}

const itemSchema = z.object({
  stream: z.string().optional(),
  status: z.string().optional(),
  error: z.string().optional(),
});

async function* progressOf(stream: NodeJS.ReadableStream, silenceLimitMs: number) {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  while (true) {
    const line = await withLimit(lines.next(), silenceLimitMs);
    if (line.done === true) return;
    if (line.value.trim() !== '') yield itemSchema.parse(JSON.parse(line.value));
  }
}

async function withLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing was heard for ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
