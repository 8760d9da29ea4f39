import { randomBytes } from 'node:crypto';
import { HostError } from '@oneslot/core';
import { AgentError, connectSandbox, type SandboxClient } from '@oneslot/sandboxd';
import type { SandboxEngine, SandboxRef, SandboxSpec } from './engine.ts';
import type { SandboxPhase, SandboxRows, SavedSandbox } from './sandbox-rows.ts';

export type OpenSteps = {
  engine: SandboxEngine;
  store: SandboxRows;
  tell(phase: SandboxPhase, detail?: string | null): void;
};

/** `onLost` is told once, and only of a client that was handed out: a greeting that fails rejects instead. */
export type GreetOptions = { epoch: number; onLost(client: SandboxClient, reason: string): void };

/** These keep the workspace in the same kind of folder, so a session may move between them. */
const folderEngines: readonly string[] = ['bubblewrap', 'simulated', 'local-unsafe'];
const helloTimeoutMs = 8_000;

/** A sandbox is its volume: container and folder are made anew around it, and its id is the volume's. */
export function newSandboxSpec(): SandboxSpec {
  const sandboxId = randomBytes(10).toString('hex');
  return { sandboxId, volume: `oneslot-${sandboxId}` };
}

export function refOf(saved: SavedSandbox): SandboxRef {
  const volume = saved.volume ?? saved.ref;
  return { sandboxId: volume.replace(/^oneslot-/, ''), ref: saved.ref, volume, imageDigest: saved.imageDigest ?? '' };
}

export function rowOf(sessionId: string, engine: SandboxEngine, ref: SandboxRef, state: string): SavedSandbox {
  return { sessionId, engine: engine.name, ref: ref.ref, volume: ref.volume, imageDigest: ref.imageDigest, state };
}

/** The session's sandbox, running: found, started, or made. @throws HostError unavailable */
export async function ensureRunning(sessionId: string, { engine, store, tell }: OpenSteps): Promise<SandboxRef> {
  const saved = await store.find(sessionId);
  if (saved !== null) refuseForeignEngine(saved, engine);
  await engine.prepare((detail) => tell('building-image', detail));
  let ref = saved === null ? null : refOf(saved);
  const sameBox = saved?.engine === engine.name && ref?.imageDigest === engine.imageDigest();
  let { state } = ref !== null && sameBox ? await engine.inspect(ref) : { state: 'absent' as const };
  if (ref === null || state === 'absent') {
    tell('creating');
    ref = await engine.create(ref ?? newSandboxSpec());
    state = 'created';
  }
  // Before it runs: a container without a row is one that the reaper takes.
  if (saved?.ref !== ref.ref || saved.state !== 'running') await store.save(rowOf(sessionId, engine, ref, 'running'));
  if (state === 'paused' && engine.resume) await engine.resume(ref);
  else if (state !== 'running') {
    tell('starting');
    await engine.start(ref);
  }
  return ref;
}

/** @throws HostError unavailable where this engine cannot reach the files, neither to use nor to delete them */
export function refuseForeignEngine(saved: SavedSandbox, engine: SandboxEngine): void {
  if (saved.engine === engine.name) return;
  if (folderEngines.includes(saved.engine) && folderEngines.includes(engine.name)) return;
  throw new HostError(
    'unavailable',
    `The files of this session lie with the engine ${saved.engine}; this runner uses ${engine.name}.`,
    {
      next: `Start Oneslot with --engine ${saved.engine} to go on with it or to delete it, or begin a new session.`,
    },
  );
}

/** Greets the agent; one that does not answer is restarted once, which costs its processes and keeps its files. */
export async function connectAgent(ref: SandboxRef, steps: OpenSteps, options: GreetOptions): Promise<SandboxClient> {
  steps.tell('connecting');
  try {
    return await greetAgent(steps.engine, ref, options);
  } catch (error) {
    if (error instanceof AgentError && (error.code === 'conflict' || error.code === 'unavailable'))
      throw refusal(error);
    return greetAgain(ref, steps, { ...options, first: error });
  }
}

async function greetAgain(
  ref: SandboxRef,
  steps: OpenSteps,
  { first, ...options }: GreetOptions & { first: unknown },
): Promise<SandboxClient> {
  steps.tell('starting', 'The agent did not answer, so the sandbox is restarted.');
  await steps.engine.stop(ref, 0);
  await steps.engine.start(ref);
  try {
    return await greetAgent(steps.engine, ref, options);
  } catch (second) {
    const { exit } = await steps.engine.inspect(ref);
    const said = second instanceof Error ? second.message : String(second);
    const message =
      exit === undefined
        ? `The agent in the sandbox does not answer: ${said}.`
        : `The sandbox ended right after it was started: ${exit.reason}.`;
    // Why it did not answer at first is often the better reason.
    const cause = new AggregateError([first, second], 'Both greetings failed.');
    throw new HostError('unavailable', message, { cause });
  }
}

export async function greetAgent(
  engine: SandboxEngine,
  ref: SandboxRef,
  { epoch, onLost }: GreetOptions,
): Promise<SandboxClient> {
  let client: SandboxClient | null = null;
  const tell = (reason: string) => {
    if (client !== null) onLost(client, reason);
  };
  client = await connectSandbox(await engine.open(ref), { epoch, helloTimeoutMs, onLost: tell });
  return client;
}

function refusal(error: AgentError): HostError {
  if (error.code === 'conflict') {
    return new HostError('conflict', `Another runner holds this sandbox: ${error.message}`, { cause: error });
  }
  return new HostError('unavailable', `The agent in the sandbox refused the connection: ${error.message}`, {
    next: 'Stop the session, so that its next call makes a new sandbox from the current image; files are kept.',
    cause: error,
  });
}
