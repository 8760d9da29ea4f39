import { readFile } from 'node:fs/promises';
import { containerBody, labels } from '@oneslot/sandboxd/container-template';
import type Docker from 'dockerode';
import { statusOf } from './docker-host.ts';

export type ContainerPlan = {
  sandboxId: string;
  volume: string;
  /** Its id: a name could come to mean another image. */
  image: string;
  installationId: string;
  seccompFile: string;
};

/** Filters for what this installation made. */
export function labelsOf(installationId: string): string[] {
  return [`${labels.installation}=${installationId}`, `${labels.profile}=session`];
}

/**
 * Makes volume and container unless they are there; answers the container's id.
 * A container of that name with another image or owner is replaced: its files are in the volume.
 */
export async function createContainer(docker: Docker, plan: ContainerPlan): Promise<string> {
  const name = `oneslot-${plan.sandboxId}`;
  const existing = await findContainer(docker, name);
  if (existing !== null) {
    if (existing.image === plan.image && existing.installationId === plan.installationId) return existing.id;
    await docker.getContainer(existing.id).remove({ force: true });
  }
  const body = containerBody({
    profile: 'session',
    image: plan.image,
    sandboxId: plan.sandboxId,
    installationId: plan.installationId,
    volume: plan.volume,
    seccompProfile: await readFile(plan.seccompFile, 'utf8'),
    createdAt: Date.now(),
  });
  await docker.createVolume({ Name: plan.volume, Labels: body.Labels });
  const container = await docker.createContainer({ name, ...body });
  return container.id;
}

async function findContainer(docker: Docker, name: string) {
  try {
    const { Id, Image, Config } = await docker.getContainer(name).inspect();
    return { id: Id, image: Image, installationId: Config.Labels[labels.installation] };
  } catch (error) {
    if (statusOf(error) === 404) return null;
    throw error;
  }
}
