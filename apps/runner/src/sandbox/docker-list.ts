import { createInterface } from 'node:readline';
import type Docker from 'dockerode';
import { z } from 'zod';
import type { EngineEvent, ListedSandbox } from './engine.ts';

/** Containers that carry `labels`, whether they run or not. */
export async function listContainers(
  docker: Docker,
  labels: readonly string[],
  digestOf: (imageId: string) => string,
): Promise<ListedSandbox[]> {
  const containers = await docker.listContainers({ all: true, filters: { label: [...labels] } });
  return containers.flatMap((container) => {
    const sandboxId = container.Labels['oneslot.sandbox'];
    const volume = container.Mounts.find(({ Destination }) => Destination === '/workspace')?.Name;
    if (sandboxId === undefined || volume === undefined) return [];
    const imageDigest = digestOf(container.ImageID);
    return [{ sandboxId, ref: container.Id, volume, imageDigest, createdAt: container.Created * 1_000 }];
  });
}

const eventSchema = z.object({
  status: z.string(),
  Actor: z.object({ Attributes: z.record(z.string(), z.string()) }),
});

/** Deaths of containers that carry `labels`, as the engine tells them; ends with `signal` or the engine. */
export async function* followEvents(
  docker: Docker,
  labels: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<EngineEvent> {
  const filters = JSON.stringify({ type: ['container'], event: ['die', 'oom'], label: labels });
  const stream = await docker.getEvents({ filters, abortSignal: signal });
  const lines = createInterface({ input: stream });
  const end = () => lines.close();
  signal.addEventListener('abort', end, { once: true });
  try {
    for await (const line of lines) {
      const event = eventSchema.safeParse(JSON.parse(line));
      const sandboxId = event.data?.Actor.Attributes['oneslot.sandbox'];
      if (!event.success || sandboxId === undefined) continue;
      const exitCode = Number(event.data.Actor.Attributes.exitCode);
      yield {
        sandboxId,
        kind: event.data.status === 'oom' ? 'oom' : 'died',
        exitCode: Number.isNaN(exitCode) ? null : exitCode,
      };
    }
  } finally {
    signal.removeEventListener('abort', end);
    if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
  }
}
