import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostError } from '@oneslot/core';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has } from '../../../scripts/has.ts';
import { DockerEngine } from '../src/sandbox/docker.ts';
import { whyNoDocker } from '../src/sandbox/docker-host.ts';
import { connectAgent, newSandboxSpec } from '../src/sandbox/open-sandbox.ts';

const installationId = `test-image-${process.pid}`;
const seccompFile = join(import.meta.dirname, '../../../docker/seccomp.json');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oneslot-image-test-'));
  await mkdir(join(folder, 'sandboxd/dist'), { recursive: true });
  await writeFile(join(folder, 'sandboxd/dist/sandboxd.mjs'), 'setInterval(() => undefined, 1000);\n');
  await writeFile(join(folder, 'sandboxd/dist/bridge.mjs'), '');
  await writeFile(join(folder, 'sandboxd/package.json'), '{}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function engineFrom(
  dockerfile: string,
  options: { dockerHost?: string; seccompFile?: string } = {},
): Promise<DockerEngine> {
  const file = join(folder, 'sandbox.Dockerfile');
  await writeFile(file, dockerfile);
  const sources = { dockerfile: file, sandboxdFolder: join(folder, 'sandboxd') };
  return new DockerEngine({ installationId, sources, seccompFile, ...options }).load();
}

async function failureOf(work: Promise<unknown>): Promise<HostError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof HostError) return error;
    throw error;
  }
  throw new Error('It was expected to fail.');
}

const silent = () => undefined;
const noRows = {
  find: async () => null,
  save: async () => undefined,
  list: async () => [],
  remove: async () => undefined,
};

it('an engine that is not there says so and what to do', async () => {
  const error = await failureOf(
    (await engineFrom('FROM scratch\n', { dockerHost: 'unix:///no/such.sock' })).prepare(silent),
  );
  expect(error.message).toMatch(/engine does not answer/);
  expect(error.next).toMatch(/--engine simulated/);
});

it('the probe explains a missing socket in words', async () => {
  expect(await whyNoDocker({ dockerHost: 'unix:///no/such.sock' })).toBe('there is no such socket');
});

it('a missing bundle is told apart from a broken image', async () => {
  const sources = { dockerfile: seccompFile, sandboxdFolder: join(folder, 'nowhere') };
  const engine = new DockerEngine({ installationId, sources, seccompFile, dockerHost: 'unix:///no/such.sock' });
  expect((await failureOf(engine.prepare(silent))).message).toMatch(/engine does not answer/);
});

describe.runIf(has('docker'))('image failures', { timeout: 60_000 }, () => {
  const docker = new Docker();
  afterAll(async () => {
    const filters = { label: [`oneslot.installation=${installationId}`] };
    for (const { Id } of await docker.listContainers({ all: true, filters }))
      await docker.getContainer(Id).remove({ force: true });
    for (const { Name } of (await docker.listVolumes({ filters })).Volumes) await docker.getVolume(Name).remove();
    for (const { Id } of await docker.listImages({ filters })) await docker.getImage(Id).remove({ force: true });
  });

  it('no base image and no registry names the script that seeds it', async () => {
    const error = await failureOf((await engineFrom('FROM registry.invalid:5000/none:1\n')).prepare(silent));
    expect(error.message).toMatch(/base image registry\.invalid:5000\/none:1 is not on this machine/);
    expect(error.next).toMatch(/docker\/seed-base-images\.sh/);
  });

  it('a failed build names the step and shows its last lines', async () => {
    const phases: string[] = [];
    const engine = await engineFrom('FROM node:24-bookworm-slim\nRUN echo the-last-words && false\nCOPY agent /x\n');
    const error = await failureOf(engine.prepare((detail) => phases.push(detail)));
    expect(error.message).toMatch(/failed at "Step 2\/\d : RUN echo the-last-words && false"/);
    expect(error.message).toMatch(/the-last-words\n?/);
    expect(phases.join()).toMatch(/Building the sandbox image: Step 1\/\d : FROM node:24-bookworm-slim/);
    expect(engine.imageState()).toBe('failed');
  });

  it('a container that the engine refuses is no build failure', async () => {
    const broken = join(folder, 'seccomp.json');
    await writeFile(broken, '{"defaultAction":"NO_SUCH_ACTION"}');
    const engine = await engineFrom('FROM node:24-bookworm-slim\nCOPY agent /x\n', { seccompFile: broken });
    await engine.prepare(silent);
    expect(engine.imageState()).toBe('ready');
    const start = async () => engine.start(await engine.create(newSandboxSpec()));
    expect((await failureOf(start())).message).toMatch(/^The sandbox container could not be (created|started)/);
  });

  it('a container that ends at once says how', async () => {
    const engine = await engineFrom('FROM node:24-bookworm-slim\nCOPY agent /x\nENTRYPOINT ["/bin/false"]\n');
    await engine.prepare(silent);
    const ref = await engine.create(newSandboxSpec());
    await engine.start(ref);
    const error = await failureOf(
      connectAgent(ref, { engine, store: noRows, tell: silent }, { epoch: 1, onLost: silent }),
    );
    expect(error.message).toBe('The sandbox ended right after it was started: exit code 1.');
  });

  it('concurrent callers share one build and a second engine finds it', async () => {
    const dockerfile = 'FROM node:24-bookworm-slim\nCOPY agent /x\nRUN sleep 0.2\n';
    const engine = await engineFrom(dockerfile);
    await Promise.all([engine.prepare(silent), engine.prepare(silent)]);
    expect((await engineFrom(dockerfile)).imageState()).toBe('ready');
  });
});
