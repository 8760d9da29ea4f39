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
  const body = containerBody({
    profile: 'session',
    image: plan.image,
    sandboxId: plan.sandboxId,
    installationId: plan.installationId,
    volume: plan.volume,
    seccompProfile: await readFile(plan.seccompFile, 'utf8'),
    createdAt: Date.now(),
  });
  const create = async () => (await docker.createContainer({ name: `oneslot-${plan.sandboxId}`, ...body })).id;
  // Asked for by itself, because a volume that a container brings along has no labels.
  await docker.createVolume({ Name: plan.volume, Labels: body.Labels });
  try {
    return await create();
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
  }
  return (await reuseOrRemove(docker, plan)) ?? create();
}

/** The id of the container that has the name already, if it is what `plan` asks for; any other makes room. */
async function reuseOrRemove(docker: Docker, plan: ContainerPlan): Promise<string | null> {
  const existing = docker.getContainer(`oneslot-${plan.sandboxId}`);
  const { Id, Image, Config } = await existing.inspect();
  if (Image === plan.image && Config.Labels[labels.installation] === plan.installationId) return Id;
  await existing.remove({ force: true });
  return null;
}
