import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mode, SessionEvent } from '@oneslot/core';
import { seedOrganization } from '../seed.ts';
import { type Answer, type ApiWorld, dataOf, openApiWorld, type Person } from './api-world.ts';
import { eventsOf, openWorld, type World, type WorldOptions, waitFor } from './session-world.ts';
import { type SseServer, startSseServer } from './sse-server.ts';

/** One answer of the provider: its text and the arguments of its calls in exactly these fragments. */
export type Step = {
  text?: readonly string[];
  calls?: readonly { name: string; fragments: readonly string[] }[];
  finish?: 'stop' | 'tool_calls' | 'length';
  /** Waits between fragments, milliseconds. */
  pauseMs?: number;
};
type Kind = SessionEvent['kind'];
export type Of<K extends Kind> = Extract<SessionEvent, { kind: K }>;
type Asked = Of<'approval-required'>;
type Decision = { decision: 'approve_once' | 'approve_session' | 'deny' | 'edit'; reason?: string; input?: object };

/**
 * The product but for its pages: people sign in and act through the API, the runner drives turns as `wire` builds it,
 * and a provider of the real dialect answers byte by byte what the message asks for.
 */
export type LiveWorld = {
  world: World;
  api: ApiWorld;
  provider: SseServer;
  /** ana owns acme, ben is a member, cho answers for others, dev only looks; eve owns another organization. */
  people: Record<'ana' | 'ben' | 'cho' | 'dev' | 'eve', Person>;
  open(mode: Mode, person?: Person): Promise<string>;
  /** Sends a message that makes the provider play these steps, or a text for the manual model. */
  say(sessionId: string, steps: readonly Step[], person?: Person): Promise<void>;
  decide(asked: Pick<Asked, 'approvalId' | 'digest'>, answer: Decision, person?: Person): Promise<Answer>;
  stop(sessionId: string): Promise<void>;
  asked(sessionId: string, nth?: number): Promise<Asked>;
  ended(sessionId: string, nth?: number): Promise<Of<'turn-finished'>>;
  all<K extends Kind>(sessionId: string, kind: K): Promise<Of<K>[]>;
  write(sessionId: string, path: string, text: string): Promise<void>;
  /** Text of a file, or null where there is none. */
  read(sessionId: string, path: string): Promise<string | null>;
  close(): Promise<void>;
};

/** A structured call with whole arguments. */
export const call = (name: string, input: object | string): NonNullable<Step['calls']>[number] => ({
  name,
  fragments: [typeof input === 'string' ? input : JSON.stringify(input)],
});
export const run = (command: string) => call('run_command', { command });

export async function openLiveWorld(options: Partial<WorldOptions> = {}): Promise<LiveWorld> {
  const scripts = new Map<string, readonly Step[]>();
  const provider = await startProvider(scripts);
  const base = { engine: 'simulated' as const, database: 'pglite' as const, modelUrl: provider.url };
  const world = await openWorld({ ...base, ...options });
  const { stores, log, services } = world.wired;
  const api = await openApiWorld({ over: { database: world.database, stores, log, services } });
  const acme = world.caller.organizationId;
  const bolt = await seedOrganization(world.database, 'bolt');
  const people = {
    ana: await api.join(acme, 'ana', 'owner'),
    ben: await api.join(acme, 'ben', 'member'),
    cho: await api.join(acme, 'cho', 'member', true),
    dev: await api.join(acme, 'dev', 'viewer'),
    eve: await api.join(bolt, 'eve', 'owner', true),
  };
  const mutate = (person: Person, path: string, input: object) => api.call(person, path, input, { type: 'mutation' });
  return {
    ...{ world, api, provider, people },
    open: async (mode, person = people.ana) =>
      dataOf<{ id: string }>(await mutate(person, 'sessions.create', { mode, modelId: 'env:scripted' })).id,
    async say(sessionId, steps, person = people.ana) {
      const script = `script-${randomUUID()}`;
      scripts.set(script, steps);
      dataOf(await mutate(person, 'sessions.send', { sessionId, text: script, messageId: randomUUID() }));
    },
    decide: ({ approvalId, digest }, answer, person = people.ana) =>
      mutate(person, 'approvals.decide', { approvalId, digest, ...answer }),
    stop: async (sessionId) => void dataOf(await mutate(people.ana, 'sessions.stop', { sessionId })),
    asked: (sessionId, nth) => waitFor(world, sessionId, 'approval-required', nth),
    ended: (sessionId, nth) => waitFor(world, sessionId, 'turn-finished', nth),
    all: async <K extends Kind>(sessionId: string, kind: K) =>
      (await eventsOf(world, sessionId)).flatMap(({ event }) => (event.kind === kind ? [event as Of<K>] : [])),
    async write(sessionId, path, text) {
      const { files } = await world.wired.sandboxes.open(sessionId);
      const before = await files.read(path).catch(() => null);
      await files.write(path, Buffer.from(text), { expectedSha256: before?.sha256 ?? null });
    },
    async read(sessionId, path) {
      const { files } = await world.wired.sandboxes.open(sessionId);
      const found = await files.read(path).catch((error: { code?: string }) => {
        if (error.code === 'not_found') return null;
        throw error;
      });
      return found && Buffer.from(found.bytes).toString();
    },
    async close() {
      await api.close();
      await world.close();
      await provider.close();
    },
  };
}

type RequestBody = { messages: { role: string; content?: unknown }[] };

/** Chat Completions: the newest script named by a person's message, at the step that its own answers have come to. */
function startProvider(scripts: ReadonlyMap<string, readonly Step[]>): Promise<SseServer> {
  const server: Promise<SseServer> = startSseServer(async (response, count) => {
    const { messages }: RequestBody = JSON.parse((await server).requests[count - 1]?.body ?? '{}');
    const at = messages.findLastIndex(
      ({ role, content }) => role === 'user' && /script-/.test(JSON.stringify(content ?? '')),
    );
    const script = /script-[0-9a-f-]{36}/.exec(JSON.stringify(messages[at]?.content ?? ''))?.[0] ?? '';
    const answered = messages.slice(at).filter((message) => message.role === 'assistant').length;
    const step = scripts.get(script)?.[answered] ?? { text: ['Done.'] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const delta of deltasOf(step, `${script.slice(-8)}_${answered}`)) {
      response.write(`data: ${JSON.stringify(delta)}\n\n`);
      if (step.pauseMs !== undefined) await sleep(step.pauseMs);
    }
    response.end('data: [DONE]\n\n');
  });
  return server;
}

function* deltasOf({ text = [], calls = [], finish }: Step, prefix: string): Generator<object> {
  const chunk = (delta: object, reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  for (const content of text) yield chunk({ content });
  for (const [index, { name, fragments }] of calls.entries()) {
    const id = `call_${prefix}_${index}`;
    yield chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
    for (const part of fragments) yield chunk({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  yield chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'));
}
