import type { SandboxClient } from '@oneslot/sandboxd';
import type { SandboxEngine, SandboxRef } from './engine.ts';
import { greetAgent, newSandboxSpec } from './open-sandbox.ts';

export type PoolOptions = { engine: SandboxEngine; epoch: number; size: number; onError(error: unknown): void };
export type PoolMember = { ref: SandboxRef; client: SandboxClient; whenLost(tell: (reason: string) => void): void };
export type Pool = {
  /** A sandbox that answers right now, or null; once taken it never comes back. */
  take(): Promise<PoolMember | null>;
  /** Tops up behind the caller's back, one at a time; does nothing before the image is there. */
  fill(): void;
  holds(sandboxId: string): boolean;
  close(): Promise<void>;
};

const answerLimitMs = 500;

/** Running, connected sandboxes with a fresh volume each, waiting for a session. */
export function createPool({ engine, epoch, size, onError }: PoolOptions): Pool {
  const members: PoolMember[] = [];
  /** Ids being made or handed out: no row knows them yet, and nobody may reap them. */
  const held = new Set<string>();
  let filling: Promise<void> | null = null;
  let closed = false;

  async function addMember(): Promise<void> {
    const spec = newSandboxSpec();
    held.add(spec.sandboxId);
    const ref = await engine.create(spec);
    try {
      await engine.start(ref);
      let tell = (_reason: string): void => drop(ref);
      const client = await greetAgent(engine, ref, { epoch, onLost: (_client, reason) => tell(reason) });
      members.push({
        ref,
        client,
        whenLost: (next) => {
          tell = next;
        },
      });
    } catch (error) {
      await discard(ref);
      throw error;
    }
  }

  function drop(ref: SandboxRef): void {
    const index = members.findIndex((member) => member.ref === ref);
    if (index >= 0) members.splice(index, 1);
    discard(ref).catch(onError);
  }

  async function discard(ref: SandboxRef): Promise<void> {
    await engine.destroy(ref, { keepVolume: false });
    held.delete(ref.sandboxId);
  }

  async function top(): Promise<void> {
    try {
      while (!closed && members.length < size) await addMember();
    } catch (error) {
      // The next open tries again; until then sessions start cold and say themselves what is wrong.
      onError(error);
    }
  }

  return {
    async take() {
      for (let member = members.shift(); member !== undefined; member = members.shift()) {
        if (await answers(member.client)) return member;
        member.client.close();
        discard(member.ref).catch(onError);
      }
      return null;
    },
    fill() {
      const ready = engine.imageState() === 'ready' || engine.imageState() === 'none';
      if (closed || !ready || filling !== null || members.length >= size) return;
      filling = top().finally(() => {
        filling = null;
      });
    },
    holds: (sandboxId) => held.has(sandboxId),
    async close() {
      closed = true;
      await filling;
      await Promise.all(
        members.splice(0).map(async ({ client, ref }) => {
          client.close();
          await discard(ref);
        }),
      );
    },
  };
}

async function answers(client: SandboxClient): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), answerLimitMs);
  });
  const ping = client.ping().then(
    () => true,
    () => false,
  );
  const answered = await Promise.race([ping, limit]);
  clearTimeout(timer);
  return answered;
}
