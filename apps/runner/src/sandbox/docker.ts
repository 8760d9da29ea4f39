import type { Duplex } from 'node:stream';
import { HostError } from '@oneslot/core';
import { bridgeCommand } from '@oneslot/sandboxd/container-template';
import type Docker from 'dockerode';
import { buildImage, engineGone, findImage } from './build-image.ts';
import { type ContainerPlan, createContainer, labelsOf } from './docker-container.ts';
import { connectDocker, type DockerHost, messageOf, statusOf } from './docker-host.ts';
import { followEvents, listContainers } from './docker-list.ts';
import type { EngineCapabilities, ImageState, SandboxEngine, SandboxInspection, SandboxRef } from './engine.ts';
import { ExecStream } from './exec-stream.ts';
import { type ImageContext, type ImageSources, readImageContext } from './image-context.ts';

export type DockerEngineOptions = DockerHost & {
  /** Several installations may share one engine; each touches only what carries its own id. */
  installationId: string;
  sources: Omit<ImageSources, 'arch'>;
  /** docker/seccomp.json */
  seccompFile: string;
  /** For tests that count or forge answers. */
  docker?: Docker;
};

const capabilities: EngineCapabilities = {
  isolation: 'container',
  pause: true,
  tty: true,
  limits: true,
  quota: false,
  survivesRunner: true,
};

/** One hardened container per sandbox, its agent reached through one long-lived exec. */
export class DockerEngine implements SandboxEngine {
  readonly name = 'docker';
  readonly #docker: Docker;
  readonly #options: DockerEngineOptions;
  #context: ImageContext | null = null;
  #contextProblem: unknown = null;
  #imageId: string | null = null;
  #imageState: ImageState = 'absent';
  #preparing: Promise<void> | null = null;
  readonly #listeners = new Set<(detail: string) => void>();

  constructor(options: DockerEngineOptions) {
    this.#options = options;
    this.#docker = options.docker ?? connectDocker(options);
  }

  /** Reads what the image is made of; the engine itself is only asked for its architecture. */
  async load(): Promise<this> {
    try {
      const { Arch } = await this.#docker.version();
      const arch = Arch === 'arm64' ? 'arm64' : 'x64';
      this.#context = await readImageContext({ ...this.#options.sources, arch });
      this.#imageId = await findImage(this.#docker, this.#context.tag);
      if (this.#imageId !== null) this.#imageState = 'ready';
    } catch (error) {
      // Told by prepare, where somebody waits for the sandbox; the page comes up all the same.
      this.#contextProblem = error;
    }
    return this;
  }

  capabilities = () => capabilities;
  imageState = () => this.#imageState;
  imageDigest = () => this.#context?.digest ?? 'unknown';

  async prepare(onPhase: (detail: string) => void): Promise<void> {
    if (this.#imageState === 'ready') return;
    this.#listeners.add(onPhase);
    this.#preparing ??= this.#build().finally(() => {
      this.#preparing = null;
      this.#listeners.clear();
    });
    await this.#preparing;
  }

  async #build(): Promise<void> {
    this.#imageState = 'building';
    try {
      if (this.#context === null) await this.load();
      this.#imageId = await buildImage({
        docker: this.#docker,
        context: this.#loaded(),
        labels: { 'oneslot.installation': this.#options.installationId },
        onPhase: (detail) => {
          for (const listener of this.#listeners) listener(detail);
        },
      });
      this.#imageState = 'ready';
    } catch (error) {
      this.#imageState = 'failed';
      throw error;
    }
  }

  #loaded(): ImageContext {
    if (this.#context !== null) return this.#context;
    if (this.#contextProblem instanceof HostError) throw this.#contextProblem;
    throw engineGone(this.#contextProblem);
  }

  async create(spec: { sandboxId: string; volume: string }): Promise<SandboxRef> {
    const { digest } = this.#loaded();
    if (this.#imageId === null) throw new HostError('unavailable', 'The sandbox image is not built yet.');
    const plan: ContainerPlan = {
      ...spec,
      image: this.#imageId,
      installationId: this.#options.installationId,
      seccompFile: this.#options.seccompFile,
    };
    try {
      return { ...spec, ref: await createContainer(this.#docker, plan), imageDigest: digest };
    } catch (cause) {
      // Somebody removed the image by hand: the next caller builds it again.
      if (statusOf(cause) === 404) this.#imageState = 'absent';
      throw startFailure('created', cause);
    }
  }

  async start(ref: SandboxRef): Promise<void> {
    try {
      await tolerate([304], this.#docker.getContainer(ref.ref).start());
    } catch (cause) {
      throw startFailure('started', cause);
    }
  }

  async stop(ref: SandboxRef, graceMs: number): Promise<void> {
    await tolerate([304, 404], this.#docker.getContainer(ref.ref).stop({ t: Math.ceil(graceMs / 1_000) }));
  }

  async destroy(ref: SandboxRef, { keepVolume }: { keepVolume: boolean }): Promise<void> {
    await tolerate([404, 409], this.#docker.getContainer(ref.ref).remove({ force: true }));
    if (!keepVolume) await tolerate([404], this.#docker.getVolume(ref.volume).remove({ force: true }));
  }

  async suspend(ref: SandboxRef): Promise<void> {
    await tolerate([304], this.#docker.getContainer(ref.ref).pause());
  }

  async resume(ref: SandboxRef): Promise<void> {
    await tolerate([304], this.#docker.getContainer(ref.ref).unpause());
  }

  async open(ref: SandboxRef): Promise<Duplex> {
    try {
      const exec = await this.#docker.getContainer(ref.ref).exec({
        Cmd: [...bridgeCommand],
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        Tty: false,
      });
      // Without hijack the library gives no duplex: end() would destroy the socket and write() never wait.
      return new ExecStream(await exec.start({ hijack: true, stdin: true }));
    } catch (cause) {
      throw new HostError('unavailable', `The sandbox could not be reached: ${messageOf(cause)}.`, { cause });
    }
  }

  async inspect(ref: SandboxRef): Promise<SandboxInspection> {
    try {
      const { State } = await this.#docker.getContainer(ref.ref).inspect();
      if (State.Status === 'running' || State.Status === 'paused' || State.Status === 'created')
        return { state: State.Status };
      const code = State.ExitCode;
      const reason = State.OOMKilled ? 'it ran out of memory' : State.Error || `exit code ${code}`;
      return { state: 'exited', exit: { code, oom: State.OOMKilled, reason } };
    } catch (error) {
      if (statusOf(error) === 404) return { state: 'absent' };
      throw engineGone(error);
    }
  }

  list = () =>
    listContainers(this.#docker, labelsOf(this.#options.installationId), (image) =>
      image === this.#imageId ? this.imageDigest() : image,
    );
  events = (signal: AbortSignal) => followEvents(this.#docker, labelsOf(this.#options.installationId), signal);
  /** Containers go on without this process; nothing to end. */
  close = async () => {};
}

/** The fourth failure people meet: the image is there, and still no container runs. */
function startFailure(step: 'created' | 'started', cause: unknown): HostError {
  return new HostError('unavailable', `The sandbox container could not be ${step}: ${messageOf(cause)}.`, {
    next: 'The image is built, so look at the engine itself: disk space, its log, and whether docker run works by hand.',
    cause,
  });
}

/** Runs `work` and takes the engine's answers in `statuses` for success: it already is as it should be. */
async function tolerate(statuses: readonly number[], work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const status = statusOf(error);
    if (status === undefined || !statuses.includes(status)) throw error;
  }
}
